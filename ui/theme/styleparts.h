// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>

class QPainter;
class QPalette;
class QStyle;
class QStyleOption;
class QStyleOptionButton;
class QStyleOptionComboBox;
class QStyleOptionHeader;
class QStyleOptionMenuItem;
class QStyleOptionSlider;
class QStyleOptionSpinBox;
class QStyleOptionTab;
class QWidget;

// How the parts of the style look; free functions that paint from a style option only.
namespace emend::ui::parts {

bool isPrimary(const QWidget *widget);

QColor stripColour(const QPalette &palette); // behind menus and tabs

void paintButton(const QStyleOption &option, QPainter *painter, const QWidget *widget);
void paintToolButton(const QStyleOption &option, QPainter *painter);
// `faint`: without focus, the border of a card.
void paintField(const QStyleOption &option, QPainter *painter, bool focused, bool faint = false);
void paintCard(const QStyleOption &option, QPainter *painter);
void paintCheck(const QStyleOption &option, QPainter *painter);
void paintRadio(const QStyleOption &option, QPainter *painter);
// `onAccent`: the ring lies on the accent colour.
void paintFocus(const QStyleOption &option, QPainter *painter, bool onAccent = false);
void paintButtonLabel(const QStyleOptionButton &option, QPainter *painter, const QWidget *widget);
void paintMenuBarItem(const QStyleOptionMenuItem &option, QPainter *painter, const QStyle &style,
                      const QWidget *widget);
void paintTabClose(const QStyleOption &option, QPainter *painter);
void paintTab(const QStyleOptionTab &option, QPainter *painter);
void paintHeader(const QStyleOptionHeader &option, QPainter *painter);
void paintSlider(const QStyleOptionSlider &option, QPainter *painter, const QRect &groove,
                 const QRect &handle);
void paintScrollBar(const QStyleOptionSlider &option, QPainter *painter, const QRect &handle);
void paintChevron(QPainter *painter, const QRectF &box, const QColor &colour, Qt::ArrowType way);

} // namespace emend::ui::parts

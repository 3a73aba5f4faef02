// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/text/colors.h"
#include "ui/text/shapes.h"

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace emend::ui {

// One sentence across the run that stays as long as it is true: there is nothing to close it with,
// and at most a way to what it is about. Without a sentence it is not there. GUI thread.
class NoticeStrip : public QWidget {
    Q_OBJECT
public:
    NoticeStrip(Shape shape, ColorRole color, QWidget *parent = nullptr);

    void setText(const QString &text); // plain; empty: hidden
    QString text() const;
    QPushButton *addButton(const QString &objectName, const QString &text);

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void updateColors();

    QHBoxLayout *m_row;
    QLabel *m_text;
    ColorRole m_color;
};

} // namespace emend::ui

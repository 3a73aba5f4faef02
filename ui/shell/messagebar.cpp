// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/messagebar.h"

#include "ui/shell/numberfield.h"
#include "ui/shell/section.h"
#include "ui/text/colors.h"
#include "ui/text/plaintext.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include "core/base/result.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace emend::ui {

QString placeText(const core::Error &error)
{
    QStringList parts;
    if (!error.file.empty())
        parts << oneLine(QString::fromStdString(error.file), 1000);
    if (error.line > 0)
        parts << MessageBar::tr("line %1").arg(numberText(error.line));
    if (error.column > 0)
        parts << MessageBar::tr("column %1").arg(numberText(error.column));
    if (!error.pointer.empty())
        parts << MessageBar::tr("at %1").arg(oneLine(QString::fromStdString(error.pointer), 300));
    return parts.join(MessageBar::tr(", ", "between the parts of a place"));
}

MessageBar::MessageBar(QWidget *parent)
    : QFrame(parent)
    , m_icon(new QLabel)
    , m_text(new QLabel)
    , m_place(new QLabel)
    , m_close(new QToolButton)
{
    setObjectName(u"messageBar"_s);
    m_icon->setFixedSize(20, 20);
    m_text->setObjectName(u"messageText"_s);
    m_text->setFont(scaledFont(1.0, QFont::DemiBold));
    m_place->setObjectName(u"messagePlace"_s);
    for (QLabel *label : {m_text, m_place}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_close->setObjectName(u"messageClose"_s);
    m_close->setAccessibleName(tr("Close this message"));
    m_close->setToolTip(tr("Close this message (Esc)"));
    m_close->setIcon(icon("close"_L1));
    m_close->setAutoRaise(true);
    m_close->setFocusPolicy(Qt::StrongFocus);
    m_close->setFixedSize(space::three + space::half, space::three + space::half);

    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_text);
    words->addWidget(m_place);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(space::two, space::one + space::half, space::two,
                               space::one + space::half);
    layout->setSpacing(space::one + space::half);
    layout->addWidget(m_icon, 0, Qt::AlignTop);
    layout->addLayout(words, 1);
    layout->addWidget(m_close, 0, Qt::AlignTop);
    connect(m_close, &QToolButton::clicked, this, &MessageBar::dismiss);
    hide();
}

void MessageBar::showError(const QString &what, const core::Error &error)
{
    const QString reason = oneLine(QString::fromStdString(error.message), 600);
    m_text->setText(reason.isEmpty() ? what : tr("%1: %2").arg(what, reason));
    const QString place = placeText(error);
    m_place->setText(place);
    m_place->setVisible(!place.isEmpty());
    setAccessibleName(tr("Error"));
    setAccessibleDescription(m_text->text() + u'\n' + place);
    tint();
    show();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void MessageBar::dismiss()
{
    hide(); // the focus goes on to the next widget
}

void MessageBar::tint()
{
    m_icon->setPixmap(icon("error"_L1, roleColor(ColorRole::Bad, palette()))
                          .pixmap(m_icon->size(), devicePixelRatioF()));
}

void MessageBar::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        tint();
}

void MessageBar::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QFrame::keyPressEvent(event);
}

void MessageBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QColor bad = roleColor(ColorRole::Bad, palette());
    painter.fillRect(rect(), roleTint(ColorRole::Bad, palette()));
    painter.fillRect(QRect(0, 0, space::half, height()), bad);
    painter.fillRect(QRect(0, height() - 1, width(), 1), palette().color(QPalette::Mid));
}

} // namespace emend::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/section.h"

#include "ui/theme/style.h"
#include "ui/theme/theme.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace emend::ui {

QLabel *quietLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

QLabel *headingLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setFont(scaledFont(1.12, QFont::DemiBold));
    return label;
}

Section::Section(const QString &title, QWidget *parent)
    : QFrame(parent)
    , m_header(new QHBoxLayout)
    , m_title(headingLabel(title))
    , m_hint(quietLabel({}))
    , m_content(new QWidget)
    , m_body(new QVBoxLayout(m_content))
{
    setFrameShape(QFrame::StyledPanel);
    setProperty(cardProperty, true);
    m_hint->hide();
    m_header->setSpacing(space::one);
    m_header->addWidget(m_title);
    m_header->addStretch(1);
    m_body->setContentsMargins(0, 0, 0, 0);
    m_body->setSpacing(space::one);
    m_title->setMinimumHeight(space::three);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::two, space::one + space::half, space::two, space::two);
    layout->setSpacing(space::one);
    layout->addLayout(m_header);
    layout->addWidget(m_hint);
    layout->addWidget(m_content, 1);
}

void Section::setHint(const QString &text)
{
    m_hint->setText(text);
    m_hint->setVisible(!text.isEmpty());
}

void Section::addToHeader(QWidget *widget)
{
    m_header->addWidget(widget);
}

void Section::setCollapsible(bool expanded)
{
    if (!m_toggle) {
        m_toggle = new QToolButton(this);
        m_toggle->setText(m_title->text());
        m_toggle->setFont(m_title->font());
        m_toggle->setCheckable(false);
        m_toggle->setAutoRaise(true);
        m_toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        m_toggle->setMinimumHeight(space::three + space::half);
        delete m_header->replaceWidget(m_title, m_toggle); // the item, which is now nobody's
        m_title->hide();
        layout()->setContentsMargins(space::one, space::one, space::two, space::one);
        m_content->setContentsMargins(space::one, 0, 0, space::one);
        m_hint->setContentsMargins(space::one, 0, 0, 0);
        connect(m_toggle, &QToolButton::clicked, this,
                [this] { setExpanded(m_content->isHidden()); });
    }
    setExpanded(expanded);
}

void Section::setExpanded(bool expanded)
{
    m_content->setVisible(expanded);
    if (!m_toggle)
        return;
    m_toggle->setArrowType(expanded ? Qt::DownArrow : Qt::RightArrow);
    m_toggle->setAccessibleDescription(expanded ? tr("Expanded") : tr("Collapsed"));
}

void WheelGuard::protect(QWidget *root)
{
    auto *guard = new WheelGuard(root);
    for (auto *widget : root->findChildren<QWidget *>()) {
        const auto *slider = qobject_cast<QAbstractSlider *>(widget);
        if (qobject_cast<QAbstractSpinBox *>(widget) || qobject_cast<QComboBox *>(widget) ||
            (slider && widget->focusPolicy() != Qt::NoFocus)) {
            widget->setFocusPolicy(Qt::StrongFocus);
            widget->installEventFilter(guard);
        }
    }
}

bool WheelGuard::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Wheel && !static_cast<QWidget *>(watched)->hasFocus()) {
        event->ignore();
        return true;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace emend::ui

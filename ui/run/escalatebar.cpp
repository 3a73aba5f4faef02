// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/escalatebar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>

#include "ui/text/colors.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

EscalateBar::EscalateBar(QWidget *parent)
    : QWidget(parent)
    , m_reason(new QLineEdit(this))
    , m_confirm(new QPushButton(tr("Escalate"), this))
{
    setObjectName(u"escalateBar"_s);
    setAccessibleName(tr("Escalate the run"));
    auto *label = new QLabel(tr("Why does a person have to decide?"), this);
    label->setBuddy(m_reason);
    m_reason->setObjectName(u"escalateReason"_s);
    m_reason->setAccessibleName(tr("Reason for the escalation"));
    m_reason->setPlaceholderText(tr("Nothing is stopped until you confirm"));
    m_reason->setMaxLength(2000);
    m_confirm->setObjectName(u"escalateConfirm"_s);
    m_confirm->setProperty(primaryProperty, true);
    m_confirm->setAutoDefault(false);
    m_confirm->setEnabled(false);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(u"escalateCancel"_s);
    cancel->setAutoDefault(false);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(space::two, space::one, space::two, space::one);
    layout->setSpacing(space::one);
    layout->addWidget(label);
    layout->addWidget(m_reason, 1);
    layout->addWidget(m_confirm);
    layout->addWidget(cancel);
    connect(m_reason, &QLineEdit::textChanged, this,
            [this](const QString &text) { m_confirm->setEnabled(!text.trimmed().isEmpty()); });
    connect(m_reason, &QLineEdit::returnPressed, this, &EscalateBar::confirm);
    connect(m_confirm, &QPushButton::clicked, this, &EscalateBar::confirm);
    connect(cancel, &QPushButton::clicked, this, &EscalateBar::cancelled);
    hide();
}

void EscalateBar::ask()
{
    if (isHidden())
        m_reason->clear();
    show();
    m_reason->setFocus(Qt::ShortcutFocusReason);
}

void EscalateBar::confirm()
{
    const QString reason = m_reason->text().trimmed();
    if (!reason.isEmpty())
        Q_EMIT confirmed(reason);
}

void EscalateBar::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        Q_EMIT cancelled();
        return;
    }
    QWidget::keyPressEvent(event);
}

void EscalateBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), roleTint(ColorRole::Correction, palette()));
    painter.fillRect(QRect(0, height() - 1, width(), 1), hairline(palette()));
}

} // namespace emend::ui

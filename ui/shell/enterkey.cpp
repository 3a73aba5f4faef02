// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/enterkey.h"

#include <QDialog>
#include <QKeyEvent>
#include <QPushButton>

namespace emend::ui {

void EnterKey::settle(QDialog *dialog, QPushButton *main)
{
    for (auto *button : dialog->findChildren<QPushButton *>()) {
        button->setAutoDefault(false);
        button->setDefault(button == main);
    }
    dialog->installEventFilter(new EnterKey(dialog));
}

// A button that is no default leaves Return to its parents: it arrives at the dialog.
bool EnterKey::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        auto *focused = qobject_cast<QPushButton *>(static_cast<QWidget *>(watched)->focusWidget());
        if ((key == Qt::Key_Return || key == Qt::Key_Enter) && focused && focused->isEnabled()) {
            focused->click();
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

} // namespace emend::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QDialog;
class QPushButton;

namespace emend::ui {

// What Return does in a dialog: it presses the button that has the focus, else the main one, and no
// other. Without this Qt lets Return press whatever button stands next to the focus. GUI thread.
class EnterKey : public QObject {
    Q_OBJECT
public:
    // `main` may be null: then Return presses nothing but the button that has the focus.
    static void settle(QDialog *dialog, QPushButton *main);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    using QObject::QObject;
};

} // namespace emend::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace emend::core {
struct Error;
}

namespace emend::ui {

// Says what went wrong, in the window and out of the way: what, where, and a cross. GUI thread.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    explicit MessageBar(QWidget *parent = nullptr);

    // `what`: "broken.task.json could not be opened".
    void showError(const QString &what, const core::Error &error);

public Q_SLOTS:
    void dismiss();

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void tint();

    QLabel *m_icon;
    QLabel *m_text;
    QLabel *m_place;
    QToolButton *m_close;
};

// "/folder/broken.task.json, line 3, column 7, at /model/provider", leaving out what is not known.
QString placeText(const core::Error &error);

} // namespace emend::ui

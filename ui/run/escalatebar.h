// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace emend::ui {

// Asks, in the window and without stopping anything, why a run is handed to a person.
class EscalateBar : public QWidget {
    Q_OBJECT
public:
    explicit EscalateBar(QWidget *parent = nullptr);

    void ask();

Q_SIGNALS:
    void confirmed(const QString &reason);
    void cancelled();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void confirm();

    QLineEdit *m_reason;
    QPushButton *m_confirm;
};

} // namespace emend::ui

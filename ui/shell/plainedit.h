// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

namespace emend::ui {

// A field for several lines that grows with its text between two heights. Tab goes to the next
// field; dropped files are left to the window. GUI thread.
class PlainEdit : public QPlainTextEdit {
    Q_OBJECT
public:
    PlainEdit(int leastLines, int mostLines, QWidget *parent = nullptr);

    // toPlainText() without its loss of no-break spaces.
    std::string text() const;

protected:
    bool canInsertFromMimeData(const QMimeData *source) const override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void fit();

    int m_leastLines;
    int m_mostLines;
};

} // namespace emend::ui

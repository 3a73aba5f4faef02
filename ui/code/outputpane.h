// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include <string>
#include <string_view>

namespace emend::ui {

// What a command wrote, as a terminal would show it, to read. Foreign bytes, never markup.
// GUI thread.
class OutputPane : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit OutputPane(QWidget *parent = nullptr);

    void setOutput(std::string bytes);
    void append(std::string_view bytes); // output that is still coming

protected:
    void changeEvent(QEvent *event) override;

private:
    void rebuild();

    std::string m_bytes;
};

} // namespace emend::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <string>
#include <vector>

class QGridLayout;
class QLabel;
class QToolButton;

namespace emend::ui {

class CodeEditor;

// Two texts beside each other, line against line, with what was removed and added marked by sign
// and colour; or one text alone. GUI thread.
class SideBySide : public QWidget {
    Q_OBJECT
public:
    explicit SideBySide(QWidget *parent = nullptr);

    struct Side {
        QString title;
        std::string text; // foreign bytes
    };
    void setLanguage(const QString &language);
    void showBoth(const Side &before, const Side &after);
    void showOne(const Side &side);

    int differences() const { return static_cast<int>(m_changes.size()); }

public Q_SLOTS:
    void next(); // the next block of changed lines, from the first after the last one
    void previous();

private:
    void goTo(int change);
    void updateBar();
    void showBefore(bool shown);

    QGridLayout *m_grid;
    QLabel *m_titleBefore;
    QLabel *m_titleAfter;
    QLabel *m_count;
    QToolButton *m_previous;
    QToolButton *m_next;
    CodeEditor *m_before;
    CodeEditor *m_after;
    std::vector<int> m_changes; // first line of each block
    int m_change = -1;
};

} // namespace emend::ui

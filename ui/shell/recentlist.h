// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>

namespace emend::ui {

class RecentFiles;

// The recent files as a list of two-line rows, as high as its rows. One click or Return opens,
// Delete takes a row out. GUI thread.
class RecentList : public QListWidget {
    Q_OBJECT
public:
    explicit RecentList(RecentFiles &recent, QWidget *parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void chosen(const QString &path);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;

private:
    void fill();
    QString currentPath() const;

    RecentFiles &m_recent;
};

} // namespace emend::ui

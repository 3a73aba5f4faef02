// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

class QPushButton;

namespace emend::ui {

class EventModel;

// The events as a table. Follows the newest row while the end is in sight and nobody has chosen
// another row; otherwise it stands still and offers to jump to the end.
class EventTable : public QTableView {
    Q_OBJECT
public:
    explicit EventTable(EventModel &model, QWidget *parent = nullptr);

    void chooseRow(int row); // and brings it into sight
    int chosenRow() const;   // -1: none
    void clearChoice();
    void jumpToLatest();
    bool isFollowing() const { return m_following; }
    void setFollowing(bool following);
    // Whether rows keep coming, so that a jump to the latest is worth offering.
    void setLive(bool live);
    // What stands where there are no rows yet.
    void setPlaceholder(const QString &text);

Q_SIGNALS:
    void rowChosen(int row); // -1: none

protected:
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    void focusInEvent(QFocusEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void rowsArrived(int first, int last);
    void scrolled();
    void updateJump();
    void fitColumns();

    EventModel &m_model;
    QPushButton *m_jump;
    QString m_placeholder;
    int m_digits = 0; // that the column of numbers has room for
    int m_unseen = 0; // rows that came while it stood still
    bool m_following = true;
    bool m_live = false;
    bool m_focusing = false; // the view is getting the focus
    bool m_quiet = false;    // the view itself moves the scroll bar or the choice
};

} // namespace emend::ui

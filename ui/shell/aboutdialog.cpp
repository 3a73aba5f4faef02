// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/aboutdialog.h"

#include "ui/shell/section.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int pictureSide = 72;
constexpr int dialogWidth = 480;

QString versionText()
{
    const QString version = QApplication::applicationVersion();
    return version.isEmpty() ? QStringLiteral(EMEND_VERSION) : version;
}

} // namespace

AboutDialog::AboutDialog(QWidget *parent)
    : QDialog(parent)
{
    setObjectName(u"aboutDialog"_s);
    setWindowTitle(tr("About Emend"));
    auto *picture = new QLabel;
    picture->setPixmap(
        applicationIcon().pixmap(QSize(pictureSide, pictureSide), devicePixelRatioF()));
    auto *name = new QLabel(tr("Emend"));
    name->setFont(scaledFont(1.9, QFont::DemiBold));
    auto *version = quietLabel(tr("Version %1").arg(versionText()));
    version->setObjectName(u"version"_s);
    version->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *what =
        new QLabel(tr("A workbench for agents that correct themselves: a bounded correction "
                      "loop, and a window on every decision it takes."));
    what->setWordWrap(true);
    auto *licence = quietLabel(
        tr("Free software under the GNU General Public License, version 3 or later. It comes with "
           "no warranty, to the extent permitted by law."));
    licence->setObjectName(u"licence"_s);
    auto *parts = quietLabel(tr("Built with Qt %1, nlohmann/json, simdjson and tl::expected.")
                                 .arg(QString::fromLatin1(qVersion())));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto *words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(name);
    words->addWidget(version);
    for (QLabel *label : {what, licence, parts}) {
        words->addSpacing(space::two);
        words->addWidget(label);
    }
    words->addStretch(1);
    auto *top = new QHBoxLayout;
    top->setSpacing(space::three);
    top->addWidget(picture, 0, Qt::AlignTop);
    top->addLayout(words, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::three, space::three, space::three, space::two);
    layout->setSpacing(space::three);
    layout->addLayout(top);
    layout->addWidget(buttons);
    setFixedWidth(dialogWidth);
}

} // namespace emend::ui

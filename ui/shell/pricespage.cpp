// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/pricespage.h"

#include "core/task/prices.h"
#include "ui/shell/background.h"
#include "ui/shell/numberfield.h"
#include "ui/shell/section.h"
#include "ui/text/colors.h"
#include "ui/text/plaintext.h"
#include "ui/theme/theme.h"

#include <QDesktopServices>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QUrl>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace emend::ui {

struct PricesPage::Table {
    std::string file;
    std::string problem;
    std::vector<core::PriceEntry> prices;
};

PricesPage::PricesPage(core::ProviderSettings &settings, QWidget *parent)
    : QWidget(parent)
    , m_settings(settings)
    , m_call(new Background(this))
    , m_path(new QLabel)
    , m_problem(new QLabel)
    , m_table(new QTableWidget(0, 5))
    , m_open(new QPushButton(tr("&Open file")))
{
    m_path->setObjectName(u"pricesPath"_s);
    m_path->setTextFormat(Qt::PlainText);
    m_path->setWordWrap(true);
    m_path->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->setObjectName(u"pricesProblem"_s);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->hide();
    m_open->setObjectName(u"openPrices"_s);
    auto *again = new QPushButton(tr("&Read again"));
    again->setObjectName(u"readPrices"_s);
    for (QPushButton *button : {m_open, again})
        button->setAutoDefault(false);
    m_table->setObjectName(u"pricesTable"_s);
    m_table->setAccessibleName(tr("Prices in US dollars per million tokens"));
    m_table->setHorizontalHeaderLabels(
        {tr("Provider"), tr("Model"), tr("In"), tr("Cached in"), tr("Out")});
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    auto *row = new QHBoxLayout;
    row->setSpacing(space::one);
    row->addWidget(m_path, 1);
    row->addWidget(again);
    row->addWidget(m_open);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::two, space::two, space::two, 0);
    layout->setSpacing(space::one);
    layout->addWidget(quietLabel(
        tr("US dollars per million tokens. The first line that fits is taken: exactly this model, "
           "else * for any model of the provider. What is not in the table has an unknown price, "
           "and a task with a cost limit does not start with it.")));
    layout->addLayout(row);
    layout->addWidget(m_problem);
    layout->addWidget(m_table, 1);
    connect(again, &QPushButton::clicked, this, &PricesPage::read);
    connect(m_open, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_file)); });
    read();
}

void PricesPage::read()
{
    m_call->start([&settings = m_settings, this](const std::stop_token &) {
        Table table;
        const core::Result<std::string> file = settings.pricesFile();
        if (!file) {
            table.problem = file.error().text();
        } else {
            table.file = *file;
            QFile in(QString::fromStdString(*file));
            const bool open = in.open(QIODevice::ReadOnly);
            auto prices = core::parsePrices(open ? in.readAll().toStdString() : std::string());
            if (!open)
                table.problem = in.errorString().toStdString();
            else if (prices)
                table.prices = std::move(*prices);
            else
                table.problem = prices.error().text();
        }
        return [this, table = std::move(table)] { show(table); };
    });
}

void PricesPage::show(const Table &table)
{
    m_file = QString::fromStdString(table.file);
    m_path->setText(oneLine(m_file, 1000));
    m_open->setEnabled(!m_file.isEmpty());
    m_problem->setText(oneLine(QString::fromStdString(table.problem), 600));
    m_problem->setVisible(!table.problem.empty());
    QPalette red = palette();
    red.setColor(QPalette::WindowText, roleColor(ColorRole::Bad, palette()));
    m_problem->setPalette(red);
    m_table->setRowCount(int(table.prices.size()));
    const auto price = [](double usd) { return readableLocale().toString(usd, 'g', 6); };
    for (int row = 0; row < int(table.prices.size()); ++row) {
        const core::PriceEntry &entry = table.prices[std::size_t(row)];
        const QString cells[] = {oneLine(QString::fromStdString(entry.provider), 80),
                                 oneLine(QString::fromStdString(entry.model), 200),
                                 price(entry.price.in),
                                 entry.price.cachedIn ? price(*entry.price.cachedIn) : tr("as in"),
                                 price(entry.price.out)};
        for (int column = 0; column < 5; ++column) {
            auto *item = new QTableWidgetItem(cells[column]);
            if (column >= 2)
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_table->setItem(row, column, item);
        }
    }
}

} // namespace emend::ui

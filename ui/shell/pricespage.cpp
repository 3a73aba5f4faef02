// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/pricespage.h"

#include "ui/shell/background.h"
#include "ui/shell/numberfield.h"
#include "ui/shell/section.h"
#include "ui/text/colors.h"
#include "ui/text/plaintext.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace emend::ui {

struct PricesPage::Table {
    std::string file;
    std::string problem;
    std::vector<core::PriceEntry> own;
    core::PriceTable bundled;
};

namespace {

enum Column { Provider, Model, ServedAt, In, CachedIn, Out, From, Columns };

bool sameModel(const core::PriceEntry &a, const core::PriceEntry &b)
{
    return a.provider == b.provider && a.model == b.model && a.baseUrl == b.baseUrl;
}

QLabel *plainLabel(const QString &objectName)
{
    auto *label = new QLabel;
    label->setObjectName(objectName);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QPushButton *plainButton(const QString &objectName, const QString &words)
{
    auto *button = new QPushButton(words);
    button->setObjectName(objectName);
    button->setAutoDefault(false);
    return button;
}

QString servedAt(const std::string &baseUrl)
{
    return baseUrl.empty()  ? PricesPage::tr("its own service")
           : baseUrl == "*" ? PricesPage::tr("any address")
                            : oneLine(QString::fromStdString(baseUrl), 200);
}

} // namespace

PricesPage::PricesPage(core::ProviderSettings &settings, QWidget *parent)
    : QWidget(parent)
    , m_settings(settings)
    , m_call(new Background(this))
    , m_bundled(quietLabel({}))
    , m_path(plainLabel(u"pricesPath"_s))
    , m_problem(plainLabel(u"pricesProblem"_s))
    , m_notice(plainLabel(u"pricesNotice"_s))
    , m_table(new QTableWidget(0, Columns))
    , m_open(plainButton(u"openPrices"_s, tr("&Open file")))
    , m_copy(plainButton(u"copyPrice"_s, tr("Cop&y line")))
{
    m_bundled->setObjectName(u"pricesBundled"_s);
    m_problem->hide();
    m_notice->hide();
    m_copy->setToolTip(tr("The chosen line as a person's table has it, to paste and change there"));
    m_copy->setEnabled(false);
    auto *again = plainButton(u"readPrices"_s, tr("Read a&gain"));
    buildTable();
    auto *row = new QHBoxLayout;
    row->setSpacing(space::one);
    row->addWidget(m_path, 1);
    for (QPushButton *button : {m_copy, again, m_open})
        row->addWidget(button, 0, Qt::AlignTop);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::two, space::two, space::two, 0);
    layout->setSpacing(space::one);
    layout->addWidget(quietLabel(
        tr("US dollars per million tokens. The line with exactly this model is taken, else the "
           "longest beginning that ends in *; of two alike, yours. A line is for the provider's "
           "own service unless it names an address. Without a line the cost is unknown, and a task "
           "with a cost limit does not start.")));
    layout->addWidget(m_bundled);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_problem);
    layout->addWidget(m_notice);
    layout->addLayout(row);
    connect(again, &QPushButton::clicked, this, &PricesPage::read);
    connect(m_open, &QPushButton::clicked, this, &PricesPage::openFile);
    connect(m_copy, &QPushButton::clicked, this, &PricesPage::copyLine);
    connect(m_table, &QTableWidget::itemSelectionChanged, this,
            [this] { m_copy->setEnabled(!m_table->selectedItems().isEmpty()); });
    read();
}

void PricesPage::buildTable()
{
    m_table->setObjectName(u"pricesTable"_s);
    m_table->setAccessibleName(tr("Prices in US dollars per million tokens"));
    m_table->setHorizontalHeaderLabels({tr("Provider"), tr("Model"), tr("Served at"), tr("In"),
                                        tr("Cached in"), tr("Out"), tr("From")});
    m_table->verticalHeader()->hide();
    const int rowHeight = fontMetrics().height() + space::one;
    m_table->verticalHeader()->setMinimumSectionSize(rowHeight);
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(Model, QHeaderView::Stretch);
    for (const int column : {Provider, ServedAt, In, CachedIn, Out, From})
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    for (int column = 0; column < Columns; ++column)
        m_table->horizontalHeaderItem(column)->setTextAlignment(
            (column >= In && column <= Out ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

void PricesPage::read()
{
    m_notice->hide();
    m_call->start([&settings = m_settings, this](const std::stop_token &) {
        Table table;
        if (auto bundled = core::parsePriceTable(settings.bundledPrices()))
            table.bundled = std::move(*bundled);
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
                table.own = std::move(*prices);
            else
                table.problem = prices.error().text();
        }
        return [this, table = std::move(table)] { show(table); };
    });
}

void PricesPage::show(const Table &table)
{
    m_file = QString::fromStdString(table.file);
    m_path->setText(tr("Your table: %1").arg(oneLine(m_file, 1000)));
    m_open->setEnabled(!m_file.isEmpty());
    const QString asOf = oneLine(QString::fromStdString(table.bundled.asOf), 40);
    m_bundled->setText(asOf.isEmpty() ? tr("Bundled lines come with Emend and change with it.")
                                      : tr("Bundled lines come with Emend, as of %1; list prices "
                                           "change.")
                                            .arg(asOf));
    m_problem->setText(tr("Your table cannot be read, and no task is started with it. %1")
                           .arg(oneLine(QString::fromStdString(table.problem), 600)));
    m_problem->setVisible(!table.problem.empty());
    QPalette red = palette();
    red.setColor(QPalette::WindowText, roleColor(ColorRole::Bad, palette()));
    m_problem->setPalette(red);
    m_entries = table.own;
    m_entries.insert(m_entries.end(), table.bundled.entries.begin(), table.bundled.entries.end());
    m_table->setRowCount(int(m_entries.size()));
    for (int row = 0; row < int(m_entries.size()); ++row)
        showEntry(row, row >= int(table.own.size()));
}

void PricesPage::showEntry(int row, bool bundled)
{
    const core::PriceEntry &entry = m_entries[std::size_t(row)];
    const bool replaced = std::any_of(m_entries.begin(), m_entries.begin() + row,
                                      [&](const auto &other) { return sameModel(entry, other); });
    const auto price = [](double usd) { return readableLocale().toString(usd, 'g', 6); };
    const QString from = bundled
                             ? (replaced ? tr("bundled, yours goes first") : tr("bundled"))
                             : (replaced ? tr("yours, an earlier line goes first") : tr("yours"));
    const QString cells[Columns] = {oneLine(QString::fromStdString(entry.provider), 80),
                                    oneLine(QString::fromStdString(entry.model), 200),
                                    servedAt(entry.baseUrl),
                                    price(entry.price.in),
                                    entry.price.cachedIn ? price(*entry.price.cachedIn)
                                                         : tr("as in"),
                                    price(entry.price.out),
                                    from};
    for (int column = 0; column < Columns; ++column) {
        auto *item = new QTableWidgetItem(cells[column]);
        if (column >= In && column <= Out)
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        if (replaced)
            item->setForeground(palette().color(QPalette::PlaceholderText));
        m_table->setItem(row, column, item);
    }
}

void PricesPage::openFile()
{
    const bool opened = QDesktopServices::openUrl(QUrl::fromLocalFile(m_file));
    m_notice->setText(tr("No program is set up here to open this file. Open it with an editor: %1")
                          .arg(oneLine(m_file, 1000)));
    m_notice->setVisible(!opened);
}

void PricesPage::copyLine()
{
    const int row = m_table->currentRow();
    if (row < 0 || row >= int(m_entries.size()))
        return;
    QApplication::clipboard()->setText(
        QString::fromStdString(core::priceLine(m_entries[std::size_t(row)])));
    m_notice->setText(tr("Copied. Paste it between the brackets of \"models\" in your table and "
                         "change it there: it then goes before the bundled line."));
    m_notice->show();
}

} // namespace emend::ui

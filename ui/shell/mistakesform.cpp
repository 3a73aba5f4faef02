// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/mistakesform.h"

#include "ui/shell/numberfield.h"
#include "ui/shell/section.h"
#include "ui/theme/theme.h"

#include "core/contract/decision.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

using core::Category;

constexpr std::uint64_t seedMost = 1'000'000'000'000; // of a task file

QString fileNameOf(const QCheckBox *check)
{
    return check->property("category").toString();
}

} // namespace

MistakesForm::MistakesForm(QWidget *parent)
    : QWidget(parent)
    , m_rate(new QSlider(Qt::Horizontal))
    , m_rateWords(new QLabel)
    , m_seed(new NumberSpin)
    , m_details(new QWidget)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space::one, 0, 0);
    layout->setSpacing(space::one);
    addRate(layout);
    auto *details = new QVBoxLayout(m_details);
    details->setContentsMargins(0, 0, 0, 0);
    addKinds(details);
    addSeed(details);
    layout->addWidget(m_details);
    load({});
}

void MistakesForm::addSeed(QVBoxLayout *layout)
{
    auto *row = new QHBoxLayout;
    auto *seedName = new QLabel(tr("Seed"));
    seedName->setToolTip(tr("The same seed makes the same mistakes."));
    m_seed->setObjectName(u"mistakeSeed"_s);
    m_seed->setAccessibleName(tr("Seed"));
    m_seed->setNumberRange(0, qint64(seedMost));
    m_seed->setGroupSeparatorShown(false);
    m_seed->setFixedWidth(numberWidth);
    seedName->setBuddy(m_seed);
    row->addWidget(seedName, 1);
    row->addWidget(m_seed);
    layout->addLayout(row);
    connect(m_seed, &QDoubleSpinBox::valueChanged, this, &MistakesForm::edited);
}

void MistakesForm::addRate(QVBoxLayout *layout)
{
    m_rate->setObjectName(u"mistakeRate"_s);
    m_rate->setAccessibleName(tr("Mistakes on purpose, in percent"));
    m_rate->setRange(0, 100);
    m_rate->setPageStep(10);
    m_rateWords->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_rateWords->setMinimumWidth(m_rateWords->fontMetrics().horizontalAdvance(u"100 %"_s) + 4);
    auto *name = new QLabel(tr("Mistakes on purpose"));
    name->setBuddy(m_rate);
    auto *row = new QHBoxLayout;
    row->setSpacing(space::two);
    row->addWidget(name);
    row->addWidget(m_rate, 1);
    row->addWidget(m_rateWords);
    layout->addLayout(row);
    connect(m_rate, &QSlider::valueChanged, this, [this] {
        showRate();
        Q_EMIT edited();
    });
}

void MistakesForm::addKinds(QVBoxLayout *layout)
{
    const std::pair<Category, QString> kinds[] = {
        {Category::EmptyResponse, tr("Empty reply")},
        {Category::InvalidJson, tr("Invalid JSON")},
        {Category::DecisionSchema, tr("Wrong shape")},
        {Category::UnknownTool, tr("Unknown tool")},
        {Category::InvalidToolInput, tr("Wrong tool input")},
        {Category::RepeatedFailedAction, tr("Repeated failure")},
        {Category::UnsupportedSuccess, tr("Unfounded success")},
    };
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(space::two);
    grid->setVerticalSpacing(space::half);
    for (const auto &[category, words] : kinds) {
        const auto name = core::categoryName(category);
        auto *check = new QCheckBox(words, m_details);
        check->setProperty("category", QString::fromUtf8(name.data(), qsizetype(name.size())));
        check->setObjectName("mistake_"_L1 + fileNameOf(check));
        const int index = int(m_kinds.size());
        grid->addWidget(check, index / 2, index % 2);
        m_kinds << check;
        connect(check, &QCheckBox::toggled, this, [this] {
            keepOneKind();
            Q_EMIT edited();
        });
    }
    layout->addLayout(grid);
}

void MistakesForm::showRate()
{
    m_rateWords->setText(tr("%1 %", "a rate").arg(m_rate->value()));
    keepOneKind();
}

// An empty list means every kind in the file, so the last one stays.
void MistakesForm::keepOneKind()
{
    const auto checked = std::count_if(m_kinds.cbegin(), m_kinds.cend(),
                                       [](const QCheckBox *c) { return c->isChecked(); });
    for (QCheckBox *check : std::as_const(m_kinds)) {
        const bool last = checked == 1 && check->isChecked();
        check->setEnabled(!last);
        check->setToolTip(last ? tr("One kind stays. Set the rate to 0 for no mistakes.")
                               : QString());
    }
    m_details->setVisible(m_rate->value() > 0);
}

void MistakesForm::load(const core::PracticeMistakes &mistakes)
{
    const QSignalBlocker quiet(this);
    m_loaded = mistakes;
    m_rate->setValue(qRound(mistakes.rate * 100));
    m_seed->setNumber(static_cast<qint64>(std::min<std::uint64_t>(mistakes.seed, seedMost)));
    const auto &names = mistakes.categories;
    for (QCheckBox *check : std::as_const(m_kinds)) {
        const std::string name = fileNameOf(check).toStdString();
        check->setChecked(names.empty() ||
                          std::find(names.begin(), names.end(), name) != names.end());
    }
    showRate();
}

void MistakesForm::store(core::PracticeMistakes &mistakes) const
{
    mistakes.rate =
        m_rate->value() == qRound(m_loaded.rate * 100) ? m_loaded.rate : m_rate->value() / 100.0;
    const auto shownSeed = static_cast<qint64>(std::min<std::uint64_t>(m_loaded.seed, seedMost));
    mistakes.seed = m_seed->number() == shownSeed ? m_loaded.seed
                                                  : static_cast<std::uint64_t>(m_seed->number());
    std::vector<std::string> names;
    for (const QCheckBox *check : m_kinds)
        if (check->isChecked())
            names.push_back(fileNameOf(check).toStdString());
    if (names.size() == std::size_t(m_kinds.size()))
        names.clear(); // all
    auto before = m_loaded.categories;
    auto now = names;
    std::sort(before.begin(), before.end());
    std::sort(now.begin(), now.end());
    mistakes.categories = before == now ? m_loaded.categories : names; // the file's order stays
}

} // namespace emend::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What a model call used and cost, with the arithmetic, and what was hidden from the trace.
#include "ui/run/storybuilder.h"

#include <QLocale>

#include <algorithm>

#include "ui/text/plaintext.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

using core::EventKind;

namespace {

// Prices have few digits and sums many: both without zeros that say nothing, and at least cents.
QString exactMoney(double usd, int decimals)
{
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    QString text = locale.toString(usd, 'f', decimals);
    const QString point = locale.decimalPoint();
    const qsizetype least = text.indexOf(point) + point.size() + 2;
    while (text.size() > least && text.endsWith(locale.zeroDigit()))
        text.chop(1);
    return u'$' + text;
}

} // namespace

// `price` of run.started; empty fields where there is none.
LineFields StoryBuilder::price() const
{
    for (int row = 0; row < std::min(16, m_model.rowCount()); ++row)
        if (event(row).kind == EventKind::RunStarted)
            return fields(row).object("price");
    return LineFields(std::string_view());
}

// "$0.000412 = 1,234 in × $0.15 + 512 cached × $0.075 + 210 out × $0.60 per million"; empty where
// the price is not known.
QString StoryBuilder::arithmetic(std::optional<double> cost, qint64 tokensIn, qint64 cachedIn,
                                 qint64 tokensOut) const
{
    const LineFields perMillion = price();
    const auto in = perMillion.real("in");
    const auto out = perMillion.real("out");
    if (!cost || !in || !out || (*in == 0 && *out == 0))
        return {};
    const qint64 cached = std::clamp<qint64>(cachedIn, 0, std::max<qint64>(0, tokensIn));
    QString text = tr("%1 = %2 in × %3")
                       .arg(exactMoney(*cost, 8), countText(tokensIn - cached), exactMoney(*in, 6));
    if (cached > 0)
        text +=
            tr(" + %1 cached × %2")
                .arg(countText(cached), exactMoney(perMillion.real("cached_in").value_or(*in), 6));
    return text + tr(" + %1 out × %2 per million").arg(countText(tokensOut), exactMoney(*out, 6));
}

QString StoryBuilder::callArithmetic(const LineFields &reply) const
{
    if (reply.has("charged") && !reply.flag("charged"))
        return tr("$0: kept from the recording, not paid again");
    return arithmetic(reply.real("cost_usd"), reply.number("tokens_in").value_or(0),
                      reply.number("cached_tokens").value_or(0),
                      reply.number("tokens_out").value_or(0));
}

QString StoryBuilder::runArithmetic(const LineFields &totals) const
{
    const LineFields charged = totals.object("charged_tokens");
    if (!charged.has("in"))
        return {};
    return arithmetic(totals.real("cost_usd"), charged.number("in").value_or(0),
                      charged.number("cached").value_or(0), charged.number("out").value_or(0));
}

void StoryBuilder::modelCost(StorySection &section, int replied)
{
    const LineFields f = fields(replied);
    const auto known = [&](const char *key) {
        const auto value = f.number(key);
        return value ? countText(*value) : tr("unknown");
    };
    if (f.flag("recorded"))
        fact(section, tr("Source"), tr("recorded: played from a trace, no model was asked"));
    const bool estimated = f.text("tokens_from", 40) == "estimate"_L1;
    QString in = known("tokens_in");
    QString out = known("tokens_out");
    if (!f.raw("cached_tokens").empty())
        in += tr(" (from the cache: %1)").arg(known("cached_tokens"));
    if (!f.raw("reasoning_tokens").empty())
        out += tr(" (of it reasoning: %1)").arg(known("reasoning_tokens"));
    fact(section, tr("Tokens in"), in);
    fact(section, tr("Tokens out"), out);
    if (estimated)
        fact(section, tr("Tokens from"), tr("an estimate; the provider gave no numbers"));
    const QString sum = callArithmetic(f);
    if (!sum.isEmpty())
        fact(section, tr("Cost"), estimated ? tr("%1 (estimated)").arg(sum) : sum);
    else if (const auto cost = f.real("cost_usd"))
        fact(section, tr("Cost"), costText(*cost));
    else
        fact(section, tr("Cost"), tr("unknown"));
    if (f.has("duration_us"))
        fact(section, tr("Took"), durationText(f.number("duration_us").value_or(0)));
}

void StoryBuilder::redactions()
{
    const LineFields f = fields(m_row);
    const auto elements = f.elements("redactions");
    if (elements.empty())
        return;
    constexpr std::size_t most = 50;
    StorySection &section = add(tr("Redacted before the write"));
    section.note = tr("What stood here is in no file.");
    for (std::size_t n = 0; n < std::min(elements.size(), most); ++n) {
        const LineFields one(elements[n]);
        const qint64 count = one.number("count").value_or(1);
        const QString rule = Vocabulary::redactionRule(one.text("rule", 100));
        fact(section, oneLine(one.text("pointer", 300), 80),
             count == 1 ? rule : tr("%1 × %2").arg(countText(count), rule));
    }
    if (elements.size() > most)
        fact(section, u"…"_s, tr("%1 more").arg(elements.size() - most));
}

} // namespace emend::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/contract/feedback.h"

namespace emend::core {

namespace {

std::string_view advice(Category category)
{
    switch (category) {
    case Category::EmptyResponse:
        return "Your reply was empty.";
    case Category::InvalidJson:
        return "Your reply was not exactly one JSON object.";
    case Category::DecisionSchema:
        return "Your reply was JSON, but not a decision.";
    case Category::UnknownTool:
        return "Use one of the listed tools, spelled exactly.";
    case Category::InvalidToolInput:
        return "The tool's parameters do not fit its schema.";
    case Category::RepeatedFailedAction:
        return "This exact action has failed before and is not run again. Change it, take another "
               "tool, or end honestly with satisfied false.";
    case Category::UnsupportedSuccess:
        return "Nothing that was tried has succeeded, so success is not supported. Try something "
               "else, or end honestly with satisfied false.";
    }
    return {};
}

} // namespace

std::string xmlExcerpt(std::string_view text, std::size_t characters)
{
    // Bytes beyond four a character cannot be needed; do not copy a huge reply to cut it.
    const std::string valid = toValidUtf8(text.substr(0, characters * 4 + 4));
    const std::string_view head = prefixCodePoints(valid, characters);
    std::string out = escapeXmlText(head);
    if (head.size() < text.size() && countCodePoints(head) == characters)
        out += "…";
    return out;
}

std::string correctionFeedback(const Rejection &rejection, std::string_view reply, int correction,
                               int of)
{
    std::string out = "<correction trust=\"untrusted\" category=\"";
    out += categoryName(rejection.category);
    out += "\" number=\"" + std::to_string(correction) + "\" of=\"" + std::to_string(of) + "\">\n";
    if (reply.empty())
        out += "<previous_reply empty=\"true\"/>\n";
    else
        out +=
            "<previous_reply>" + xmlExcerpt(reply, feedbackReplyCharacters) + "</previous_reply>\n";
    out += "<error>" + xmlExcerpt(rejection.error, feedbackErrorCharacters) +
           "</error>\n</correction>\n";
    out += "Nothing was executed. ";
    out += advice(rejection.category);
    out += " Answer the current request again with one decision as a JSON object.";
    return out;
}

} // namespace emend::core

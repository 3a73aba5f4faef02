#include <cstdio>
#include <string>

#include "solution.cpp"

// Says in the Test Anything Protocol what came of each case.
int main()
{
    const struct {
        const char *name;
        std::string text, wanted;
    } cases[] = {
        {"nothing", "", ""},
        {"one character", "x", "x1"},
        {"a run of twelve", std::string(12, 'z'), "z12"},
        {"a long run", std::string(100000, 'q'), "q100000"},
        {"bytes above 127", "\xFF\xFF", "\xFF" "2"},
    };
    int number = 0, failed = 0;
    std::printf("1..%zu\n", std::size(cases));
    for (const auto &one : cases) {
        const std::string got = runLengths(one.text);
        const bool good = got == one.wanted;
        failed += good ? 0 : 1;
        std::printf("%sok %d - %s\n", good ? "" : "not ", ++number, one.name);
        if (!good)
            std::printf("# got \"%s\", wanted \"%s\"\n", got.c_str(), one.wanted.c_str());
    }
    return failed == 0 ? 0 : 1;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace emend::tools {

// What was wrong with the certificate of the connection that this thread is making: libcurl tells
// only that something was. Lives on the thread that performs the transfer.
class CertificateWatch {
public:
    CertificateWatch();
    ~CertificateWatch();
    CertificateWatch(const CertificateWatch &) = delete;
    CertificateWatch &operator=(const CertificateWatch &) = delete;

    // Looks on while the certificates are verified; `caFile` (may be empty) is trusted besides the
    // system's. False if it cannot be read. `context` is OpenSSL's SSL_CTX.
    bool attach(void *context, const std::string &caFile) const;

    // A sentence about the certificate of `host`, or "" where nothing was found wrong.
    std::string words(const std::string &host) const;

    void note(int error, const std::string &expired);

private:
    int m_error = 0;       // X509_V_ERR_…
    std::string m_expired; // the date, ISO 8601
};

} // namespace emend::tools

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/http/certificatewatch.h"

#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

#include <array>
#include <ctime>

namespace emend::tools {

namespace {

thread_local CertificateWatch *watching = nullptr;

std::string dateOf(const ASN1_TIME *time)
{
    std::tm parts{};
    if (time == nullptr || ASN1_TIME_to_tm(time, &parts) != 1)
        return {};
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

// OpenSSL's verdict stays as it is; it is only written down.
int onVerified(int good, X509_STORE_CTX *context)
{
    if (good == 0 && watching != nullptr) {
        const int error = X509_STORE_CTX_get_error(context);
        const X509 *certificate = X509_STORE_CTX_get_current_cert(context);
        const bool expired = error == X509_V_ERR_CERT_HAS_EXPIRED && certificate != nullptr;
        watching->note(error, expired ? dateOf(X509_get0_notAfter(certificate)) : std::string());
        // A certificate that nobody vouches for may have expired besides, which says more.
        if (!expired && certificate != nullptr &&
            X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0)
            watching->note(X509_V_ERR_CERT_HAS_EXPIRED, dateOf(X509_get0_notAfter(certificate)));
    }
    return good;
}

} // namespace

CertificateWatch::CertificateWatch()
{
    watching = this;
}

CertificateWatch::~CertificateWatch()
{
    watching = nullptr;
}

bool CertificateWatch::attach(void *context, const std::string &caFile) const
{
    auto *tls = static_cast<SSL_CTX *>(context);
    if (SSL_CTX_get_verify_mode(tls) != SSL_VERIFY_NONE)
        SSL_CTX_set_verify(tls, SSL_VERIFY_PEER, onVerified);
    return caFile.empty() || SSL_CTX_load_verify_locations(tls, caFile.c_str(), nullptr) == 1;
}

void CertificateWatch::note(int error, const std::string &expired)
{
    m_error = error;
    m_expired = expired;
}

std::string CertificateWatch::words(const std::string &host) const
{
    const std::string whose = "the certificate of " + host;
    switch (m_error) {
    case X509_V_OK:
        return {};
    case X509_V_ERR_CERT_HAS_EXPIRED:
        return whose + " expired on " + m_expired +
               ": the server's owner has to renew it (or this machine's clock is wrong)";
    case X509_V_ERR_CERT_NOT_YET_VALID:
        return whose + " is not valid yet: check this machine's clock";
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_UNTRUSTED:
        return whose + " comes from somebody this machine does not know; if that is right, name "
                       "its CA in ca_file";
    default:
        return whose + ": " + X509_verify_cert_error_string(m_error);
    }
}

} // namespace emend::tools

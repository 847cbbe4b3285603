import { parseAccountId, type SignInSession } from '@latchkey/protocol'
import { formatSignInMessage, parseSigner, type Cacao } from './cacao.ts'

/** Converts a CACAO to the sign-in format that Latchkey uses for all namespaces. */
export function toSignInSession(cacao: Cacao): SignInSession {
  const { domain, aud, nonce, iat, exp, nbf, statement, requestId, resources } = cacao.p
  const account = parseSigner(cacao)
  const { chainId, address } = parseAccountId(account)
  const times = { issuedAt: iat, expirationTime: exp, notBefore: nbf }
  const data = { chainId, accountAddress: address, domain, uri: aud, nonce, statement, requestId, resources, ...times }
  return {
    data: { ...data, version: '1' },
    message: formatSignInMessage(cacao.p, account),
    signature: cacao.s.s,
    cacao,
  }
}

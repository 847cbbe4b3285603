import { parseAccountId, type SignInSession } from '@latchkey/protocol'
import { formatSignInMessage, signerOf, type Cacao } from './cacao.ts'

/** A sign-in of the wire in the words that Latchkey has for those of all families. */
export function signInSessionOf(cacao: Cacao): SignInSession {
  const { domain, aud, nonce, iat, exp, nbf, statement, requestId, resources } = cacao.p
  const account = signerOf(cacao)
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

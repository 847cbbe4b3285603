import { parseAccountId, type ChainId } from '@latchkey/protocol'
import type { SessionNamespaces } from '../grants.ts'
import { signInNamespace, vocabulary } from '../namespaces.ts'
import { methodsIn, type AuthPayload } from './authPayload.ts'
import { signerOf, type Cacao } from './cacao.ts'

/**
 * What a session may do by what was signed: the methods of the ReCaps, for each signer on the chains that were both
 * asked for and granted.
 *
 * @returns nothing when no method was granted, so that the sign-in stands alone.
 */
export function grantedBy(cacaos: readonly Cacao[], asked: AuthPayload): SessionNamespaces | undefined {
  const accounts = new Set<string>()
  const chains = new Set<ChainId>()
  const methods = new Set<string>()
  for (const cacao of cacaos) {
    const { address, chainId } = parseAccountId(signerOf(cacao))
    const granted = methodsIn(cacao.p.resources)
    for (const method of granted.methods) methods.add(method)
    for (const chain of new Set([chainId, ...granted.chains])) {
      if (!asked.chains.includes(chain)) continue
      chains.add(chain)
      accounts.add(`${chain}:${address}`)
    }
  }
  if (methods.size === 0) return undefined
  const { events } = vocabulary[signInNamespace]
  return { [signInNamespace]: { chains: [...chains], accounts: [...accounts], methods: [...methods], events } }
}

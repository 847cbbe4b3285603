import { parseAccountId, type ChainId } from '@latchkey/protocol'
import type { SessionNamespaces } from '../session/sessionNamespaces.ts'
import { signInNamespace, getNamespaceScope } from '../session/namespaceScopes.ts'
import { listSignedMethods, type AuthPayload } from './authPayload.ts'
import { parseSigner, type Cacao } from './cacao.ts'

/**
 * Returns the namespaces that signatures grant: the methods of the ReCaps, for each signer on the chains that were both
 * requested and granted.
 *
 * @returns `undefined` if no method was granted, so that there is only a sign-in
 */
export function namespacesFromCacaos(cacaos: readonly Cacao[], requested: AuthPayload): SessionNamespaces | undefined {
  const accounts = new Set<string>()
  const chains = new Set<ChainId>()
  const methods = new Set<string>()
  for (const cacao of cacaos) {
    const { address, chainId } = parseAccountId(parseSigner(cacao))
    const granted = listSignedMethods(cacao.p.resources)
    for (const method of granted.methods) methods.add(method)
    for (const chain of new Set([chainId, ...granted.chains])) {
      if (!requested.chains.includes(chain)) continue
      chains.add(chain)
      accounts.add(`${chain}:${address}`)
    }
  }
  if (methods.size === 0) return undefined
  const { events } = getNamespaceScope(signInNamespace)
  return { [signInNamespace]: { chains: [...chains], accounts: [...accounts], methods: [...methods], events } }
}

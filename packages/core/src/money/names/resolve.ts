import type { Latchkey } from '../../instance/latchkey.ts'
import { accountStateOf } from '../../state/getAccount.ts'
import { supports } from '../../network/supports.ts'
import { coinTypeOf, mainnetCoinType } from './coinType.ts'
import { normalizeName } from './isName.ts'
import { fetchRecord } from './records.ts'
import { readZones } from './zones.ts'

/**
 * Resolves a name that the server issued to its address on the active network. Only names that end in one of the
 * server's suffixes are sent to the server.
 *
 * @returns false if it does not resolve, for any reason [R5.6.2]
 * @example await resolveAccountName(latchkey, 'user.latchkey.example')
 */
export async function resolveAccountName(
  latchkey: Latchkey,
  text: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<string | false> {
  const name = normalizeName(text)
  const { network } = accountStateOf(latchkey)
  if (name === undefined || network === undefined || !supports(latchkey, 'names', network)) return false
  try {
    const { zones } = await readZones(latchkey)
    if (!zones.some((zone) => name.endsWith(`.${zone}`))) return false
    const record = await fetchRecord(latchkey, name, signal)
    const own = record?.addresses[String(coinTypeOf(Number(network.id)))]
    const address = own ?? record?.addresses[String(mainnetCoinType)]
    const adapter = latchkey.adapters.find(({ namespace }) => namespace === network.chainNamespace)
    // Accepts only valid addresses of the namespace, whatever the server responds.
    return address !== undefined && adapter?.isAddress(address) === true ? address : false
  } catch {
    return false
  }
}

import type { Latchkey } from '../../latchkey.ts'
import { getAccount } from '../../state/wallet.ts'
import { supports } from '../../supports.ts'
import { coinTypeOf, mainnetCoinType } from './coinType.ts'
import { normalName } from './nameForm.ts'
import { askRecord } from './records.ts'
import { readZones } from './zones.ts'

/**
 * The address behind a name that the server gave, on the active network. The server is asked only about names that end in
 * one of its suffixes.
 *
 * @returns false when there is none, whatever the reason [R5.6.2]
 * @example await resolveAccountName(latchkey, 'visitor.latchkey.example')
 */
export async function resolveAccountName(
  latchkey: Latchkey,
  text: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<string | false> {
  const name = normalName(text)
  const { network } = getAccount(latchkey)
  if (name === undefined || network === undefined || !supports(latchkey, 'names', network)) return false
  try {
    const { zones } = await readZones(latchkey)
    if (!zones.some((zone) => name.endsWith(`.${zone}`))) return false
    const record = await askRecord(latchkey, name, signal)
    const own = record?.addresses[String(coinTypeOf(Number(network.id)))]
    const address = own ?? record?.addresses[String(mainnetCoinType)]
    const adapter = latchkey.adapters.find(({ namespace }) => namespace === network.chainNamespace)
    // Whatever a server says, nothing but an address of the family is paid.
    return address !== undefined && adapter?.isAddress(address) === true ? address : false
  } catch {
    return false
  }
}

import { isAccountId, isChainId, isRecord } from '@latchkey/protocol'
import type { Latchkey } from '../../instance/latchkey.ts'
import { listConnectedAccounts, ownerOf } from '../../state/listConnectedAccounts.ts'
import { isPurchaseId } from './purchases.ts'
import type { StartedPurchase } from './state.ts'

const storageKey = 'started_purchases'

/** The maximum number of stored purchases. */
const limit = 5

/** Stores a purchase until its outcome was reported, so that it is followed after a reload. */
export function storeStartedPurchase(
  { internal: { memory } }: Pick<Latchkey, 'internal'>,
  id: string,
  { account, chainId, since }: StartedPurchase,
): void {
  const others = parseStored(memory.read(storageKey)).filter(([other]) => other !== id)
  memory.write(storageKey, [[id, { account, chainId, since }], ...others].slice(0, limit))
}

/** Removes a stored purchase. */
export function removeStartedPurchase({ internal: { memory } }: Pick<Latchkey, 'internal'>, id: string): void {
  const others = parseStored(memory.read(storageKey)).filter(([other]) => other !== id)
  memory.write(storageKey, others.length === 0 ? undefined : others)
}

/**
 * Lists the stored purchases of the connected accounts, by id. Those of other accounts are left out: a request for both
 * would tell the server that they belong together.
 */
export function listStartedPurchases(
  latchkey: Pick<Latchkey, 'internal' | 'wallet'>,
): readonly (readonly [string, StartedPurchase])[] {
  const { memory, clock } = latchkey.internal
  const own = listConnectedAccounts(latchkey).map(ownerOf)
  return (
    parseStored(memory.read(storageKey))
      .filter(([, { account }]) => own.includes(ownerOf(account)))
      // A time in the future would never become old.
      .map(([id, purchase]) => [id, { ...purchase, since: Math.min(purchase.since, clock.now()) }] as const)
  )
}

/** Parses the stored purchases. Every script of the page can write to its storage. */
function parseStored(stored: unknown): readonly (readonly [string, StartedPurchase])[] {
  if (!Array.isArray(stored)) return []
  return stored.slice(0, limit).flatMap((entry: unknown) => {
    const [id, purchase]: readonly unknown[] = Array.isArray(entry) ? entry : []
    if (!isPurchaseId(id) || !isRecord(purchase)) return []
    const { account, chainId, since } = purchase
    if (typeof account !== 'string' || !isAccountId(account)) return []
    if (typeof chainId !== 'string' || !isChainId(chainId)) return []
    if (typeof since !== 'number' || !Number.isSafeInteger(since) || since < 0) return []
    return [[id, { account, chainId, since }] as const]
  })
}

import { updateState, type DeveloperWallet, type PendingRequest } from './developerWallet.ts'
import { refreshApps } from './refreshApps.ts'

/** The delay of each response if the user chose slow responses. */
const slowDelayMs = 3_000

/**
 * Runs a decision on the pending request `key`, and removes the request afterwards. Does nothing if the request is
 * gone or already has a decision, so a second click has no effect.
 */
export async function decide(
  wallet: DeveloperWallet,
  key: string,
  run: (pending: PendingRequest) => Promise<unknown>,
): Promise<void> {
  const { pendingRequests } = wallet.store.get()
  const pending = pendingRequests.find((each) => each.key === key)
  if (pending === undefined || pending.isResponding) return
  const marked = pendingRequests.map((each) => (each === pending ? { ...pending, isResponding: true } : each))
  updateState(wallet, { pendingRequests: marked })
  await delayResponse(wallet)
  await run(pending)
  updateState(wallet, { pendingRequests: wallet.store.get().pendingRequests.filter((each) => each.key !== key) })
  refreshApps(wallet)
}

async function delayResponse({ clock, store }: DeveloperWallet): Promise<void> {
  if (store.get().settings.isSlow) await new Promise<void>((resolve) => clock.after(slowDelayMs, resolve))
}

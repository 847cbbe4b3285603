import { change, type DeveloperWallet, type Notice } from './developerWallet.ts'

/** Milliseconds that a notice stays. */
const lifetime = { done: 4_000, failure: 10_000 } as const

/** Tells the owner something in one line; the next thing told takes its place. */
export function tell(wallet: DeveloperWallet, tone: Notice['tone'], text: string): void {
  const id = (wallet.store.get().notice?.id ?? 0) + 1
  change(wallet, { notice: { id, tone, text } })
  wallet.clock.after(lifetime[tone], () => {
    if (wallet.store.get().notice?.id === id) dismissNotice(wallet)
  })
}

export function dismissNotice(wallet: DeveloperWallet): void {
  change(wallet, { notice: undefined })
}

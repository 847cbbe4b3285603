import { updateState, type DeveloperWallet, type Notice } from './developerWallet.ts'

/** Milliseconds before a notice disappears. */
const lifetime = { done: 4_000, failure: 10_000 } as const

/** Shows a notice. The next notice replaces it. */
export function showNotice(wallet: DeveloperWallet, tone: Notice['tone'], text: string): void {
  const id = (wallet.store.get().notice?.id ?? 0) + 1
  updateState(wallet, { notice: { id, tone, text } })
  wallet.clock.after(lifetime[tone], () => {
    if (wallet.store.get().notice?.id === id) dismissNotice(wallet)
  })
}

export function dismissNotice(wallet: DeveloperWallet): void {
  updateState(wallet, { notice: undefined })
}

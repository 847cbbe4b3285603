import type { ActionApp } from './createActionApp.tsx'

type Choice = number | string

/** The changes of the provider: its language and theme, and if it and an embedded modal are mounted. */
export const looks = [
  { locale: 'de' },
  { locale: 'ar' },
  { locale: 'en' },
  { theme: 'dark' },
  { theme: 'light' },
  { isMounted: false },
  { isMounted: true },
  { isEmbedded: true },
  { isEmbedded: false },
] as const

/** The changes of the page, the time, the server and the chain. */
export const worldActions = {
  advance: ({ clock }: ActionApp, milliseconds: Choice) => clock.advance(Number(milliseconds)),
  changeLook(app: ActionApp, choice: Choice) {
    app.draw(looks[Number(choice)] ?? {})
    return JSON.stringify(looks[Number(choice)])
  },
  stopServer: ({ traffic }: ActionApp) => void (traffic.isDown = true),
  startServer: ({ traffic }: ActionApp) => void (traffic.isDown = false),
  stopChain: ({ adapter }: ActionApp) => void (adapter.unreachable = true),
  startChain: ({ adapter }: ActionApp) => void (adapter.unreachable = false),
  mine: ({ transfers }: ActionApp) => transfers.end({ status: 'mined', blockNumber: 1n }),
}

import { disconnect, getAccount, signMessage, switchNetwork, type Latchkey } from '@latchkey/core'

/** Renders the part of an example that no framework renders: the state and three actions. */
export function renderExample({ latchkey, main }: { latchkey: Latchkey; main: Element }): void {
  const status = document.createElement('output')
  const signature = document.createElement('p')
  const update = (): void => {
    const account = getAccount(latchkey)
    status.textContent = [account.status, account.network?.name].join(' ')
  }
  latchkey.wallet.subscribe(update)
  update()
  const actions: Readonly<Record<string, () => Promise<unknown>>> = {
    Sign: async () => (signature.textContent = await signMessage(latchkey, 'Hello')),
    Switch: () => switchNetwork(latchkey, 'eip155:31338'),
    Leave: () => disconnect(latchkey),
  }
  const buttons = Object.entries(actions).map(([name, act]) => {
    const button = document.createElement('button')
    button.textContent = name
    button.addEventListener('click', () => void act())
    return button
  })
  main.append(status, signature, ...buttons)
}

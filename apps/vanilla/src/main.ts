import {
  connect,
  createLatchkey,
  disconnect,
  getAccount,
  listWallets,
  signMessage,
  start,
  verifyMessage,
  type Latchkey,
} from '@latchkey/core'
import { evm } from '@latchkey/evm'
import { getElement, onSubmit } from './elements.ts'
import { readPageConfig } from './readPageConfig.ts'
import { sendPayment } from './sendPayment.ts'
import { swapTokens } from './swapTokens.ts'

const { chains, projectId, server } = readPageConfig(document)
const latchkey = createLatchkey({ adapters: [evm({ chains })], projectId, server })

latchkey.connectors.subscribe(() => showWallets(latchkey))
latchkey.wallet.subscribe(() => showAccount(latchkey))
latchkey.events.subscribe((event) => console.info('latchkey', event.type))
getElement('#disconnect', HTMLButtonElement).addEventListener('click', () => void disconnect(latchkey))
onSubmit('#sign', (field) => sign(latchkey, field('message')))
onSubmit('#send', (field) => sendPayment(latchkey, field('recipient'), field('amount')))
onSubmit('#swap', (field) => swapTokens(latchkey, field('amount'), field('symbol')))
start(latchkey)
showWallets(latchkey)
showAccount(latchkey)

/** Draws a button for each wallet of the page. */
function showWallets(instance: Latchkey): void {
  const rows = listWallets(instance).injected.flatMap(({ name, connectorIds: [id] }) => {
    if (id === undefined) return []
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = `Connect ${name}`
    button.addEventListener('click', () => void connectWallet(instance, id))
    const item = document.createElement('li')
    item.append(button)
    return [item]
  })
  getElement('#wallets', HTMLUListElement).replaceChildren(...rows)
}

async function connectWallet(instance: Latchkey, id: string): Promise<void> {
  try {
    await connect(instance, id)
  } catch (error) {
    getElement('#account', HTMLParagraphElement).textContent = error instanceof Error ? error.message : String(error)
  }
}

/** Draws the connected account. */
function showAccount(instance: Latchkey): void {
  const account = getAccount(instance)
  const isConnected = account.status === 'connected'
  const text = isConnected ? `Connected as ${account.address} on ${account.network.name}` : 'Not connected'
  getElement('#account', HTMLParagraphElement).textContent = text
  getElement('#disconnect', HTMLButtonElement).hidden = !isConnected
}

/** Signs a message, and checks the signature. */
async function sign(instance: Latchkey, message: string): Promise<string> {
  const signature = await signMessage(instance, message)
  return (await verifyMessage(instance, message, signature)) ? 'The signature verifies.' : 'The signature is invalid.'
}

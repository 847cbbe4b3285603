import { connect, parseAmount, switchNetwork, type Latchkey } from '@latchkey/core'
import { fakeAdapter, fakeAddress, fakeConnector, fakeNetwork, fakeWorld } from '@latchkey/core/fakes'
import { receiveMessages } from '@latchkey/modal/messages'
import { parsePaymentUri, type Namespace } from '@latchkey/protocol'
import axe from 'axe-core'
import { expect, onTestFinished, test } from 'vitest'
import { gapsOf } from '../../../../testing/gapsOf.ts'
import { modalRoot, renderModal } from '../../../../testing/renderModal.tsx'

const en = receiveMessages.english

const entry = { view: 'WalletReceive', params: {} } as const

async function connectTestWallet(namespace: Namespace = 'eip155', count = 2): Promise<Latchkey> {
  const [first, ...rest] = Array.from({ length: count }, (_, index) => fakeNetwork({ namespace, id: index + 1 }))
  const adapters = [fakeAdapter({ namespace, networks: [first ?? fakeNetwork(), ...rest] })]
  const { latchkey } = fakeWorld({ adapters, connectors: [fakeConnector({ namespaces: [namespace] })] })
  await connect(latchkey, 'fake')
  return latchkey
}

/** Replaces the clipboard for one test, and returns the copied texts. */
function recordCopies(): readonly string[] {
  const { clipboard } = navigator
  const copied: string[] = []
  const writeText = async (text: string): Promise<void> => void copied.push(text)
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
  onTestFinished(() => void Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard }))
  return copied
}

test('the view shows the full address and a QR code [R1.6]', async () => {
  const screen = await renderModal(await connectTestWallet(), entry)
  await expect.element(screen.getByRole('img', { name: 'QR code of your address on Network 1' })).toBeVisible()
  await expect.element(screen.getByText(fakeAddress('eip155'), { exact: true })).toBeVisible()
  const { violations } = await axe.run(modalRoot().host, { rules: { region: { enabled: false } } })
  expect(violations).toEqual([])
})

test.each(['solana', 'polkadot', 'bip122'] as const)('a wallet of %s shows its QR code', async (namespace) => {
  const screen = await renderModal(await connectTestWallet(namespace), entry)
  await expect.element(screen.getByRole('img', { name: 'QR code of your address on Network 1' })).toBeVisible()
  await expect.element(screen.getByText(fakeAddress(namespace), { exact: true })).toBeVisible()
})

test('the view names the other networks of the address', async () => {
  const screen = await renderModal(await connectTestWallet(), entry)
  await screen.getByRole('button', { name: 'Network 1 Works on 2 networks' }).click()
  await expect.element(screen.getByText('Network 2', { exact: true })).toBeVisible()
  await screen.getByRole('button', { name: 'Back' }).click()
  await expect.element(screen.getByRole('button', { name: 'Copy address' })).toBeVisible()
})

test('the view warns about other assets if the address is valid on one network only', async () => {
  const screen = await renderModal(await connectTestWallet('bip122'), entry)
  await expect.element(screen.getByText(/Send only assets on Network 1/)).toBeVisible()
})

test('the address is copied, and a failure is shown', async () => {
  const { clipboard } = navigator
  const copied: string[] = []
  let refuses = false
  const writeText = async (text: string): Promise<void> => {
    if (refuses) throw new Error('no')
    copied.push(text)
  }
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
  onTestFinished(() => void Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard }))
  const screen = await renderModal(await connectTestWallet('eip155', 1), entry)
  await screen.getByRole('button', { name: 'Copy address' }).click()
  await expect.element(screen.getByText('Address copied')).toBeInTheDocument()
  expect(copied).toEqual([fakeAddress('eip155')])
  refuses = true
  await screen.getByRole('button', { name: 'Copy address' }).click()
  expect(copied).toHaveLength(1)
})

test('the address is shared if the system supports it, and cancelling is not a failure', async () => {
  const shared: unknown[] = []
  const share = async (data: unknown): Promise<void> => {
    shared.push(data)
    throw new DOMException('closed', 'AbortError')
  }
  Object.defineProperty(navigator, 'share', { configurable: true, value: share })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'share'))
  const screen = await renderModal(await connectTestWallet(), entry)
  await screen.getByRole('button', { name: 'Share' }).click()
  expect(shared).toEqual([{ text: fakeAddress('eip155') }])
})

test('a requested amount is part of the QR code and of the copied link', async () => {
  const copied = recordCopies()
  const screen = await renderModal(await connectTestWallet('eip155', 1), entry)
  await screen.getByRole('button', { name: 'Request an amount' }).click()
  await screen.getByRole('textbox', { name: 'Amount in COIN' }).fill('1.5')
  await expect.element(screen.getByRole('img', { name: 'QR code of a payment request' })).toBeVisible()
  await screen.getByRole('button', { name: 'Copy payment link' }).click()
  await expect.element(screen.getByText('Payment link copied')).toBeInTheDocument()
  const { decimals } = fakeNetwork({ namespace: 'eip155', id: 1 }).nativeCurrency
  const to = fakeAddress('eip155')
  expect(copied.map(parsePaymentUri)).toEqual([
    { namespace: 'eip155', to, chainId: 'eip155:1', units: parseAmount('1.5', decimals) },
  ])
  await screen.getByRole('button', { name: 'Remove the amount' }).click()
  await expect.element(screen.getByRole('button', { name: 'Copy address' })).toBeVisible()
  const { violations } = await axe.run(modalRoot().host, { rules: { region: { enabled: false } } })
  expect(violations).toEqual([])
})

test('a payment request ends when the network changes', async () => {
  const latchkey = await connectTestWallet()
  const screen = await renderModal(latchkey, entry)
  await screen.getByRole('button', { name: 'Request an amount' }).click()
  await screen.getByRole('textbox', { name: 'Amount in COIN' }).fill('1.5')
  await expect.element(screen.getByRole('button', { name: 'Copy payment link' })).toBeVisible()
  await switchNetwork(latchkey, 'eip155:2')
  await expect.element(screen.getByRole('img', { name: 'QR code of your address on Network 2' })).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Copy address' })).toBeVisible()
})

test.each(['0', '1e3', '1,5.2', '1.0000000000000000000000001', '9'.repeat(90)])(
  'the invalid amount %s requests nothing',
  async (amount) => {
    const screen = await renderModal(await connectTestWallet('eip155', 1), entry)
    await screen.getByRole('button', { name: 'Request an amount' }).click()
    await screen.getByRole('textbox', { name: 'Amount in COIN' }).fill(amount)
    await expect.element(screen.getByText(/Enter an amount above 0/)).toBeVisible()
    await expect.element(screen.getByRole('button', { name: 'Copy address' })).toBeVisible()
  },
)

test('a namespace without payment links requests no amounts', async () => {
  const screen = await renderModal(await connectTestWallet('polkadot'), entry)
  await expect.element(screen.getByRole('button', { name: 'Copy address' })).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Request an amount' })).not.toBeInTheDocument()
})

test('the view is translated to German', async () => {
  const screen = await renderModal(await connectTestWallet(), entry, { locale: 'de' })
  await expect.element(screen.getByRole('img', { name: 'QR-Code deiner Adresse auf Network 1' })).toBeVisible()
})

test('every language has all English texts', async () => {
  for (const [locale, load] of Object.entries(receiveMessages.translations)) {
    expect([locale, gapsOf(en, (await load?.())?.translation)]).toEqual([locale, []])
  }
})

import type { Page } from '@playwright/test'
import { english, mnemonicToAccount } from 'viem/accounts'
import { codeCanary, findCanaries, textCanary, walletCanaries, type Canary } from '../support/canaries.ts'
import { expect } from '../support/fixtures.ts'
import { sendRequest } from '../support/frameHost.ts'
import { logIn, test } from '../support/frameLogin.ts'

const entropy = new Uint8Array(16).fill(0x7f)
/** A vector of BIP-39. */
const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const key = Buffer.from(mnemonicToAccount(phrase).getHdKey().privateKey ?? [])

for (const [form, text] of [
  ['as words', `The words are ${phrase}.`],
  ['as a list of words', JSON.stringify(phrase.toUpperCase().split(' '))],
  ['in part', phrase.split(' ').slice(3, 8).join('\n')],
] as const) {
  test(`recovery phrase is found ${form} [I-08]`, () => {
    expect(findCanaries(text, walletCanaries(entropy))).toEqual(['a recovery phrase'])
  })
}

for (const [form, text] of [
  ['in hexadecimal', `0x${key.toString('hex').toUpperCase()}`],
  ['in base64', key.toString('base64')],
  ['in base64url inside other bytes', Buffer.concat([Buffer.from('ab'), key, key]).toString('base64url')],
  ['as a list of numbers', `[${[...key].join(', ')}]`],
] as const) {
  test(`private key is found ${form} [I-08]`, () => {
    expect(findCanaries(`before ${text} after`, walletCanaries(entropy))).toEqual(['an EVM private key'])
  })
}

test('code is found as a separate word, and other strings are not canaries [I-08]', () => {
  const canaries = [codeCanary('123456'), textCanary('a token', 'x'.repeat(40)), ...walletCanaries(entropy)]
  expect(findCanaries('Code: 123456.', canaries)).toEqual(['a mailed code'])
  const harmless = `0x1234567 a123456 ${english.slice(0, 200).join(' ')} ${phrase.split(' ').slice(0, 3).join(' ')}`
  expect(findCanaries(harmless, canaries)).toEqual([])
})

/** The strings that a defect could reveal. */
function getLeakingText({ words, folded, exact, digits }: Canary): string {
  return digits ?? folded[0] ?? exact[0] ?? words.join(' ')
}

const leaks: Readonly<Record<string, (page: Page, text: string) => Promise<unknown>>> = {
  'the console': (page, text) => page.evaluate((leaked) => console.log(`user ${leaked}`), text),
  'an error': (page, text) => page.evaluate((leaked) => void setTimeout(() => Promise.reject(new Error(leaked))), text),
  'the storage': (page, text) => page.evaluate((leaked) => localStorage.setItem('leak', leaked), text),
  'the document': (page, text) => page.evaluate((leaked) => document.body.append(leaked), text),
  'the address of a request': (page, text) =>
    page.evaluate((leaked) => fetch(`/?${new URLSearchParams({ leaked })}`).then(() => undefined), text),
}

test(
  'secrets that leak on purpose are found on every surface [I-08]',
  { tag: '@variant' },
  async ({ dapp, urls, watch }) => {
    await logIn(dapp, urls)
    expect((await sendRequest(dapp, 'GET_USER')).payload).toHaveProperty('address')
    expect(await watch.leaks()).toEqual([])
    const canaries = await watch.canaries()
    const names = ['a recovery phrase', 'an EVM private key', 'a Solana private key', 'a mailed code', 'accessToken']
    for (const name of names) {
      const canary = canaries.find((each) => each.name === name)
      if (canary === undefined) throw new Error(`The test has no ${name}.`)
      for (const leak of Object.values(leaks)) await leak(dapp, getLeakingText(canary))
      const found = Object.keys(leaks).map((surface) => expect.stringMatching(`^${name} in ${surface}`))
      await expect.poll(() => watch.leaks(), name).toEqual(expect.arrayContaining(found))
      await dapp.evaluate(() => {
        localStorage.removeItem('leak')
        document.body.lastChild?.remove()
      })
      watch.forget()
      watch.complaints.splice(0)
    }
  },
)

test(
  'secret in a message of the frame is found in bytes, too [I-08]',
  { tag: '@variant' },
  async ({ dapp, urls, watch }) => {
    await logIn(dapp, urls)
    const canary = (await watch.canaries()).find(({ name }) => name === 'an EVM private key')
    const bytes = Buffer.from(canary?.folded[0] ?? '', 'hex')
    expect(bytes).toHaveLength(32)
    const frame = dapp.frames().find((each) => each.url().includes('/sdk'))
    await frame?.evaluate((numbers) => parent.postMessage({ harmless: new Uint8Array(numbers) }, '*'), [...bytes])
    await expect.poll(() => watch.leaks()).toContain('an EVM private key in a message of the frame')
    watch.forget()
  },
)

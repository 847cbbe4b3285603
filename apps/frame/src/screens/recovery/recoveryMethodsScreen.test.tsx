import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { custodyError } from '../../custody/custodyError.ts'
import { ServiceRefusal } from '../../services/serviceRequest.ts'
import { fakeHolder } from '../../testing/fakeHolder.ts'
import { renderScreen } from '../../testing/renderScreen.ts'
import { englishMessages } from '../../messages/loadFrameMessages.ts'
import type { KeyHolder, RecoveryMethodInfo } from '../../worker/keyHolder.ts'
import type { PasskeyOutcome, Passkeys } from './passkeys.ts'
import { recoveryMethodsScreen } from './recoveryMethodsScreen.ts'

const bytes = new Uint8Array(32).fill(9)
const proof = { id: 'bmV3', authenticatorData: bytes, clientDataJSON: bytes, signature: bytes }
const used: PasskeyOutcome = { kind: 'used', passkey: { id: 'bmV3', output: bytes, proof, publicKey: bytes } }

type Options = {
  verbs?: Partial<KeyHolder>
  outcome?: PasskeyOutcome
  split?: boolean
  relay?: string | undefined
  addElsewhere?: string
}

/** The screen of a wallet that records added and removed methods. */
function renderRecoveryMethodsScreen(
  methods: readonly RecoveryMethodInfo['method'][],
  { verbs, outcome = used, split = false, relay, addElsewhere }: Options = {},
) {
  let ways: readonly RecoveryMethodInfo[] = methods.map((method) => ({
    id: `id-${method}`,
    method,
    createdAt: 1_780_000_000_000,
  }))
  const requested: unknown[] = []
  const holder = fakeHolder({
    recoveryMethods: async () => ways,
    recoveryStatus: async () => ({ isDeviceEnrolled: true, otherDevices: 0, isRecoverable: true, testedAt: {} }),
    createPasskeyRequest: async () => ({ input: bytes, challenge: bytes }),
    addPassword: async (password) => {
      requested.push(password)
      ways = [...ways, { id: 'added', method: 'password' }]
    },
    addPasskey: async (passkey) => {
      requested.push(passkey)
      ways = [...ways, { id: passkey.id, method: 'passkey' }]
    },
    removeRecoveryMethod: async (id) => {
      requested.push(id)
      ways = ways.filter((way) => way.id !== id)
    },
    ...verbs,
  })
  const passkeys: Passkeys = {
    create: async () => outcome,
    use: async ({ ids }) => {
      requested.push(ids)
      return used
    },
  }
  const messages = englishMessages
  const screen = recoveryMethodsScreen({
    messages,
    holder,
    passkeys,
    userName: 'ann@example.org',
    split,
    relay,
    addElsewhere,
  })
  return { ...renderScreen(screen), requested, guarded: screen.guarded }
}

const pressButton = (name: string) => page.getByRole('button', { name, exact: true }).click()
const listNames = () =>
  page
    .getByRole('listitem')
    .elements()
    .flatMap((row) => row.querySelector('.name')?.textContent ?? [])
const getAlertText = (root: HTMLElement) => root.querySelector('[role=alert]')?.textContent ?? ''

test('recovery methods are listed with their dates, and the last can’t be removed', async () => {
  const { root } = renderRecoveryMethodsScreen(['auto'])
  await expect.poll(listNames).toEqual(['Automatic'])
  expect(root).toHaveTextContent('Since May 28, 2026')
  expect(root).toHaveTextContent('The last recovery method can’t be removed')
  expect(page.getByRole('button', { name: /^Remove/ }).elements()).toEqual([])
})

const enrolled = { isDeviceEnrolled: true, otherDevices: 0, isRecoverable: true, testedAt: {} }
const listCombinations = () =>
  page
    .getByRole('listitem')
    .elements()
    .filter((row) => row.querySelector('.name') === null)
    .map((row) => row.textContent)

test('the status lists each combination that opens the wallet [D-05]', async () => {
  renderRecoveryMethodsScreen(['auto', 'password'], {
    verbs: { recoveryStatus: async () => ({ ...enrolled, otherDevices: 2 }) },
  })
  await expect
    .poll(listCombinations)
    .toEqual([
      'This device + auth service',
      'Each of your other devices + auth service',
      'Automatic + auth service + share store',
      'Password + auth service + share store',
      'This device + a recovery method + share store',
    ])
})

test('the status warns if the services hold no matching shares [D-05]', async () => {
  const status = { ...enrolled, isRecoverable: false }
  const { root } = renderRecoveryMethodsScreen(['password'], { verbs: { recoveryStatus: async () => status } })
  await expect.poll(listCombinations).toEqual(['This device + auth service'])
  expect(root.querySelector('.banner')).toHaveTextContent('No recovery method opens your wallet at the moment.')
})

test('a method that does not open the wallet is marked and left out of the combinations [D-03]', async () => {
  const ways: readonly RecoveryMethodInfo[] = [
    { id: 'a', method: 'auto', isUnreadable: true },
    { id: 'p', method: 'password' },
  ]
  const { root } = renderRecoveryMethodsScreen([], { verbs: { recoveryMethods: async () => ways } })
  await expect.poll(() => root.textContent).toMatch('It does not open your wallet. Remove it.')
  expect(listCombinations()).not.toContain('Automatic + auth service + share store')
})

test('each method shows when it was tested, and starts its rehearsal', async () => {
  const testedAt = { 'id-password': 1_780_000_000_000 }
  const { root, choice } = renderRecoveryMethodsScreen(['auto', 'password'], {
    verbs: { recoveryStatus: async () => ({ ...enrolled, testedAt }) },
  })
  await expect.poll(listNames).toEqual(['Automatic', 'Password'])
  expect(root.querySelectorAll('.row')[0]).toHaveTextContent('Not tested yet')
  expect(root.querySelectorAll('.row')[1]).toHaveTextContent('Tested on May 28, 2026')
  await pressButton('Test: Password')
  expect(choice()).toEqual({ rehearse: expect.objectContaining({ id: 'id-password' }) })
})

test('Done ends the screen', async () => {
  const { choice } = renderRecoveryMethodsScreen(['auto'])
  await pressButton('Done')
  expect(choice()).toBe('done')
})

test('a password is added by keyboard once it is long, strong and repeated', async () => {
  const { root, requested } = renderRecoveryMethodsScreen(['auto'])
  await pressButton('Add a password')
  await userEvent.keyboard('{Tab}short{Enter}')
  expect(getAlertText(root)).toBe('Use at least 10 characters.')
  await page.getByLabelText('New password').fill('password2026')
  await userEvent.keyboard('{Enter}')
  expect(getAlertText(root)).toMatch(/easy to guess/)
  await page.getByLabelText('New password').fill('four calm herons')
  await userEvent.keyboard('{Enter}')
  expect(getAlertText(root)).toBe('The passwords don’t match.')
  expect(document.activeElement).toBe(page.getByLabelText('Repeat the password').element())
  await userEvent.keyboard('four calm herons{Enter}')
  await expect.poll(listNames).toEqual(['Automatic', 'Password'])
  expect(requested).toEqual(['four calm herons'])
  expect(root.querySelector('[role=status]')).toHaveTextContent('It now opens your wallet.')
})

test('a refusal is shown at the password field', async () => {
  const refusal = new ServiceRefusal(403, 'device', 'This device is new. Try again tomorrow.')
  const { root } = renderRecoveryMethodsScreen(['auto'], { verbs: { addPassword: () => Promise.reject(refusal) } })
  await pressButton('Add a password')
  await page.getByLabelText('New password').fill('four calm herons')
  await page.getByLabelText('Repeat the password').fill('four calm herons')
  await pressButton('Save password')
  await expect.poll(() => getAlertText(root)).toBe('This device is new. Try again tomorrow.')
})

test('a passkey is added with its output [K-16]', async () => {
  const { requested } = renderRecoveryMethodsScreen(['auto'])
  await pressButton('Add a passkey')
  await pressButton('Create passkey')
  await expect.poll(listNames).toEqual(['Automatic', 'Passkey'])
  expect(requested).toEqual([{ id: 'bmV3', output: bytes, publicKey: bytes, facts: '{}' }])
})

test('without PRF no passkey is stored and a password is offered [K-16]', async () => {
  const { root, requested } = renderRecoveryMethodsScreen(['auto'], { outcome: { kind: 'unable' } })
  await pressButton('Add a passkey')
  await pressButton('Create passkey')
  await expect.poll(() => getAlertText(root)).toMatch(/Nothing was stored/)
  await pressButton('Add a password')
  expect(root).toHaveTextContent('Choose a recovery password')
  expect(requested).toEqual([])
})

test('a cancelled ceremony changes nothing and offers the top-level page [K-16]', async () => {
  const options: Options = { outcome: { kind: 'cancelled' }, addElsewhere: 'http://localhost/account' }
  const { root, requested } = renderRecoveryMethodsScreen(['auto'], options)
  await pressButton('Add a passkey')
  await pressButton('Create passkey')
  await expect.poll(() => getAlertText(root)).toMatch(/Nothing was changed/)
  expect(root.querySelector('a')).toHaveAttribute('href', 'http://localhost/account')
  expect(requested).toEqual([])
  await pressButton('Cancel')
  await expect.poll(listNames).toEqual(['Automatic'])
})

test('the button that removes a method is guarded, and the other one is not [I-09]', async () => {
  const { root, guarded } = renderRecoveryMethodsScreen(['auto', 'passkey'])
  expect(guarded).toBe('steps')
  await pressButton('Remove: Passkey')
  const names = [...root.querySelectorAll('[data-guarded]')].map(({ textContent }) => textContent)
  expect(names).toEqual(['Remove'])
})

test('removing a method explains the consequences, in particular for the automatic one', async () => {
  const { root, requested } = renderRecoveryMethodsScreen(['auto', 'passkey'])
  await pressButton('Remove: Automatic')
  expect(root.querySelector('.banner')).toHaveTextContent('no one can help you')
  await pressButton('Cancel')
  await pressButton('Remove: Passkey')
  expect(root.querySelector('.banner')).not.toHaveTextContent('no one can help you')
  expect(root.querySelector('.banner')).toHaveTextContent('will no longer open your wallet')
  expect(requested).toEqual([])
  await pressButton('Remove')
  await expect.poll(listNames).toEqual(['Automatic'])
  expect(requested).toEqual(['id-passkey'])
})

test('each remaining credential is requested once before a method is removed', async () => {
  const credentials: unknown[] = []
  const needed = [...(['password', 'passkey'] as const)]
  const removeMethod: KeyHolder['removeRecoveryMethod'] = async (_, given = []) => {
    credentials.push(given)
    const method = needed[given.length]
    if (method !== undefined) throw custodyError('custody/recovery-method-needed', { method })
  }
  const { root } = renderRecoveryMethodsScreen(['auto', 'password', 'passkey'], {
    verbs: { removeRecoveryMethod: removeMethod },
  })
  await pressButton('Remove: Automatic')
  await pressButton('Remove')
  await expect.poll(() => root.querySelector('h1')?.textContent).toBe('Confirm that it is you')
  await pressButton('Continue')
  expect(getAlertText(root)).toBe('Enter your recovery password.')
  await userEvent.keyboard('four calm herons{Enter}')
  await pressButton('Use a passkey')
  await expect.poll(() => root.querySelector('[role=status]')?.textContent).toMatch(/^Removed/)
  const password = { method: 'password', password: 'four calm herons' }
  const passkey = { method: 'passkey', id: 'bmV3', output: bytes }
  expect(credentials).toEqual([[], [password], [password, passkey]])
})

test('passkeys that the user doesn’t have can be removed together [K-08]', async () => {
  const requests: unknown[] = []
  const removeMethod: KeyHolder['removeRecoveryMethod'] = async (id, given = [], options = {}) => {
    requests.push([id, given, options])
    if (options.dropsPasskeys !== true) throw custodyError('custody/recovery-method-needed', { method: 'passkey' })
  }
  const ways: readonly RecoveryMethodInfo[] = [
    { id: 'a', method: 'auto' },
    { id: 'bmV3', method: 'passkey' },
  ]
  const { root } = renderRecoveryMethodsScreen([], {
    verbs: { removeRecoveryMethod: removeMethod, recoveryMethods: async () => ways },
  })
  await pressButton('Remove: Automatic')
  await pressButton('Remove')
  await pressButton('Also remove passkeys that I no longer have')
  await expect.poll(() => root.querySelector('[role=status]')?.textContent).toMatch(/^Removed/)
  expect(requests).toEqual([
    ['a', [], {}],
    ['a', [], { dropsPasskeys: true }],
  ])
})

test('two remaining passkeys are requested one after the other', async () => {
  const removeMethod: KeyHolder['removeRecoveryMethod'] = async (_, given = []) => {
    if (given.length < 2) throw custodyError('custody/recovery-method-needed', { method: 'passkey' })
  }
  const ways: readonly RecoveryMethodInfo[] = [
    { id: 'a', method: 'auto' },
    { id: 'bmV3', method: 'passkey' },
    { id: 'b2xk', method: 'passkey' },
  ]
  const { root, requested } = renderRecoveryMethodsScreen([], {
    verbs: { removeRecoveryMethod: removeMethod, recoveryMethods: async () => ways },
  })
  await pressButton('Remove: Automatic')
  await pressButton('Remove')
  await pressButton('Use a passkey')
  await expect.poll(() => requested).toEqual([['bmV3', 'b2xk']])
  await pressButton('Use a passkey')
  await expect.poll(() => root.querySelector('[role=status]')?.textContent).toMatch(/^Removed/)
  expect(requested).toEqual([['bmV3', 'b2xk'], ['b2xk']])
})

test('a wrong remaining password is requested again and no method is removed', async () => {
  const removeMethod: KeyHolder['removeRecoveryMethod'] = async (_, given = []) => {
    if (given.length === 0) throw custodyError('custody/recovery-method-needed', { method: 'password' })
    throw custodyError('custody/unreadable', { what: 'The recovery key' })
  }
  const { root } = renderRecoveryMethodsScreen(['auto', 'password'], { verbs: { removeRecoveryMethod: removeMethod } })
  await pressButton('Remove: Automatic')
  await pressButton('Remove')
  await page.getByLabelText('Recovery password').fill('not the right one')
  await pressButton('Continue')
  await expect.poll(() => getAlertText(root)).toMatch(/does not open your wallet/)
  await pressButton('Cancel')
  await expect.poll(listNames).toEqual(['Automatic', 'Password'])
})

test('a failed list can be loaded again', async () => {
  let requestCount = 0
  const refusal = new ServiceRefusal(503, 'service', 'The share store rests. Try again in a moment.')
  const ways = async (): Promise<readonly RecoveryMethodInfo[]> => {
    if (++requestCount === 1) throw refusal
    return [{ id: 'a', method: 'auto' }]
  }
  const { root } = renderRecoveryMethodsScreen([], { verbs: { recoveryMethods: ways } })
  await expect.poll(() => getAlertText(root)).toBe('The share store rests. Try again in a moment.')
  await pressButton('Try again')
  await expect.poll(listNames).toEqual(['Automatic'])
})

test.each([
  [['auto'], false, /could rebuild your keys/, /without it/],
  [['auto'], true, /Neither can rebuild it alone; both together could/, /takes over its machine/],
  [['password'], false, /A weak password could be guessed/, /Automatic:/],
  [['passkey'], true, /not even together/, /Automatic:/],
  [['password'], true, /Together they could guess a weak password/, /Automatic:/],
] as const)('the custody statement for %s matches the deployment', async (methods, split, says, not) => {
  const { root } = renderRecoveryMethodsScreen(methods, { split })
  await expect.poll(() => root.textContent).toMatch(says)
  expect(root.textContent).not.toMatch(not)
  expect(root).toHaveTextContent('anyone who can change the code of this page')
})

test.each([
  ['auto', 'relay.example', true],
  ['auto', undefined, false],
  ['password', 'relay.example', false],
] as const)(
  'the custody statement for %s and the relay %s names the relay: %s [K-10]',
  async (method, relay, isNamed) => {
    const { root } = renderRecoveryMethodsScreen([method], { split: true, relay })
    await expect.poll(() => root.textContent).toMatch(/anyone who can change the code of this page/)
    expect(root.textContent?.includes('go through a relay, relay.example')).toBe(isNamed)
  },
)

import { expect, test } from 'vitest'
import {
  acceptCodeHandover,
  acceptLoginHandover,
  type HandoverMessage,
  type LoginHandover,
} from './acceptLoginHandover.ts'

const auth = 'https://auth.example/'
const handover = { type: 'latchkey/login', id: 'one', secret: 'secret' }

/** A frame that began the login `one`. */
function setUp() {
  const accepted: LoginHandover[] = []
  const sent: { message: unknown; target: string }[] = []
  let send: (event: HandoverMessage) => void = () => expect.fail('nothing listens')
  acceptLoginHandover({ addEventListener: (_type, listener) => void (send = listener) }, auth, async (given) => {
    accepted.push(given)
    return given.id === 'one'
  })
  const source = { postMessage: (message: unknown, target: string) => void sent.push({ message, target }) }
  const receive = async (data: unknown, origin = 'https://auth.example'): Promise<void> => {
    send({ source, origin, data })
    await Promise.resolve()
    await Promise.resolve()
  }
  return { accepted, sent, receive }
}

test('the frame that began a login accepts its secret and confirms it to the auth service’s page only [A-21]', async () => {
  const { accepted, sent, receive } = setUp()
  await receive(handover)
  expect(accepted).toEqual([{ id: 'one', secret: 'secret' }])
  expect(sent).toEqual([{ message: { type: 'latchkey/login-accepted' }, target: 'https://auth.example' }])
})

test('a frame that began another login can’t confirm [A-21]', async () => {
  const { sent, receive } = setUp()
  await receive({ ...handover, id: 'two' })
  expect(sent).toEqual([])
})

test.each(['https://app.example', 'https://auth.example.evil.example', 'http://auth.example', 'null', ''])(
  'messages from %j are ignored [A-21]',
  async (origin) => {
    const { accepted, receive } = setUp()
    await receive(handover, origin)
    expect(accepted).toEqual([])
  },
)

test.each([
  null,
  'latchkey/login',
  [],
  { ...handover, type: 'other' },
  { ...handover, id: 1 },
  { ...handover, secret: 'a'.repeat(65) },
])('the message %j is ignored', async (data) => {
  const { accepted, receive } = setUp()
  await receive(data)
  expect(accepted).toEqual([])
})

test('a code is accepted from the share store’s page only, and confirmed once it was redeemed [V-03]', async () => {
  const codes: string[] = []
  const sent: unknown[] = []
  let send: (event: HandoverMessage) => void = () => expect.fail('nothing listens')
  const target = { addEventListener: (_type: 'message', listener: typeof send) => void (send = listener) }
  acceptCodeHandover(target, 'https://shares.example/', async (code) => {
    codes.push(code)
    if (code !== '12345678') throw new Error('This code is wrong.')
  })
  const source = { postMessage: (message: unknown, origin: string) => void sent.push({ message, origin }) }
  for (const [origin, code] of [
    ['https://auth.example', '12345678'],
    ['https://shares.example', '1234567'],
    ['https://shares.example', '87654321'],
    ['https://shares.example', '12345678'],
  ] as const) {
    send({ source, origin, data: { type: 'latchkey/code', code } })
  }
  await new Promise((resolve) => void setTimeout(resolve))
  expect(codes).toEqual(['87654321', '12345678'])
  expect(sent).toEqual([{ message: { type: 'latchkey/code-accepted' }, origin: 'https://shares.example' }])
})

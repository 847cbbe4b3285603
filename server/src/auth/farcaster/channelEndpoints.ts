import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Type } from '@sinclair/typebox'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import type { Channels } from './channels.ts'

const shortText = Type.String({ maxLength: 256 })
const address = Type.String({ maxLength: 1_024 })
const nonceText = Type.String({ pattern: '^[a-zA-Z0-9]{8,128}$' })
const asked = {
  siweUri: address,
  domain: shortText,
  notBefore: Type.Optional(shortText),
  expirationTime: Type.Optional(shortText),
  requestId: Type.Optional(shortText),
  redirectUrl: Type.Optional(address),
}
const answer = {
  message: Type.String({ maxLength: 4_096 }),
  signature: Type.String({ maxLength: 8_192, pattern: '^0x([0-9a-fA-F]{2})+$' }),
  fid: Type.Integer({ minimum: 1 }),
  username: Type.Optional(shortText),
  displayName: Type.Optional(shortText),
  bio: Type.Optional(Type.String({ maxLength: 1_024 })),
  pfpUrl: Type.Optional(address),
  authMethod: Type.Optional(Type.String({ maxLength: 32 })),
}
const state = Type.Object({
  state: Type.Enum({ pending: 'pending', completed: 'completed' }),
  nonce: Type.String(),
  url: Type.String(),
  acceptAuthAddress: Type.Boolean(),
  signatureParams: Type.Object({ ...asked, nonce: Type.String() }),
  ...Object.fromEntries(Object.entries(answer).map(([name, schema]) => [name, Type.Optional(schema)])),
})

/** The relay of Sign In With Farcaster, in the words that its applications speak (`/v1/channel`). */
export function channelEndpoints(channels: Channels): readonly Endpoint[] {
  const common = { group: 'Farcaster relay' } as const
  return [
    endpoint({
      ...common,
      method: 'POST',
      path: '/v1/channel',
      summary: 'Opens a channel to a Farcaster application.',
      body: Type.Object({
        ...asked,
        nonce: Type.Optional(nonceText),
        acceptAuthAddress: Type.Optional(Type.Boolean()),
      }),
      bodyBytes: 8_192,
      answer: Type.Object({ channelToken: Type.String(), url: Type.String(), nonce: Type.String() }),
      example: { body: { siweUri: 'https://app.example.org/login', domain: 'app.example.org' }, status: 201 },
      async handle({ body: { nonce = randomBytes(16).toString('hex'), acceptAuthAddress = true, ...rest }, status }) {
        const { token, url } = await channels.open({ ...rest, nonce, acceptAuthAddress })
        status(201)
        return { channelToken: token, url, nonce }
      },
    }),
    endpoint({
      ...common,
      method: 'GET',
      path: '/v1/channel/status',
      summary: 'How far a channel is: 202 while it waits, 200 with what was signed.',
      answer: state,
      example: { status: 401 },
      async handle({ raw, status }) {
        const channel = await channels.look(tokenOf(raw))
        if (channel === undefined) throw isOver()
        const { acceptAuthAddress, ...signatureParams } = channel.asked
        const facts = { nonce: signatureParams.nonce, url: channel.url, acceptAuthAddress, signatureParams }
        if (channel.answer !== undefined) return { state: 'completed', ...facts, ...channel.answer } as const
        status(202)
        return { state: 'pending', ...facts } as const
      },
    }),
    endpoint({
      ...common,
      method: 'POST',
      path: '/v1/channel/authenticate',
      summary: 'Brings what the account signed, once. Whoever asked checks it.',
      body: Type.Object(answer),
      bodyBytes: 32_768,
      answer: Type.Object({ state: Type.Literal('completed') }),
      example: { body: { message: '', signature: '0x00', fid: 1 }, status: 401 },
      async handle({ body, raw, status }) {
        if (!(await channels.answer(tokenOf(raw), body))) throw isOver()
        status(201)
        return { state: 'completed' } as const
      },
    }),
  ]
}

function tokenOf({ headers }: IncomingMessage): string {
  const [scheme, token = ''] = (headers.authorization ?? '').split(' ', 2)
  if (scheme?.toLowerCase() === 'bearer' && token !== '') return token
  throw new Problem(401, 'channelToken', 'The token of the channel is missing.')
}

function isOver(): Problem {
  return new Problem(401, 'channelToken', 'There is no such channel, it is over, or it has been answered.')
}

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Type } from '@sinclair/typebox'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Channels } from './channels.ts'

const shortText = Type.String({ maxLength: 256 })
const address = Type.String({ maxLength: 1_024 })
const nonceText = Type.String({ pattern: '^[a-zA-Z0-9]{8,128}$' })
const requestFields = {
  siweUri: address,
  domain: shortText,
  notBefore: Type.Optional(shortText),
  expirationTime: Type.Optional(shortText),
  requestId: Type.Optional(shortText),
  redirectUrl: Type.Optional(address),
}
const responseFields = {
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
  signatureParams: Type.Object({ ...requestFields, nonce: Type.String() }),
  ...Object.fromEntries(Object.entries(responseFields).map(([name, schema]) => [name, Type.Optional(schema)])),
})

/** The relay of Sign In With Farcaster, with the HTTP interface that its applications use (`/v1/channel`). */
export function channelEndpoints(channels: Channels): readonly Endpoint[] {
  const common = { group: 'Farcaster relay' } as const
  return [
    defineEndpoint({
      ...common,
      method: 'POST',
      path: '/v1/channel',
      summary: 'Opens a channel to a Farcaster application.',
      body: Type.Object({
        ...requestFields,
        nonce: Type.Optional(nonceText),
        acceptAuthAddress: Type.Optional(Type.Boolean()),
      }),
      maxBodyBytes: 8_192,
      response: Type.Object({ channelToken: Type.String(), url: Type.String(), nonce: Type.String() }),
      example: { body: { siweUri: 'https://app.example.org/login', domain: 'app.example.org' }, status: 201 },
      async handle({ body: { nonce = randomBytes(16).toString('hex'), acceptAuthAddress = true, ...rest }, status }) {
        const { token, url } = await channels.open({ ...rest, nonce, acceptAuthAddress })
        status(201)
        return { channelToken: token, url, nonce }
      },
    }),
    defineEndpoint({
      ...common,
      method: 'GET',
      path: '/v1/channel/status',
      summary: 'Returns the state of a channel: 202 while it is pending, 200 with the signed message.',
      response: state,
      example: { status: 401 },
      async handle({ raw, status }) {
        const channel = await channels.find(parseBearerToken(raw))
        if (channel === undefined) throw channelOver()
        const { acceptAuthAddress, ...signatureParams } = channel.request
        const details = { nonce: signatureParams.nonce, url: channel.url, acceptAuthAddress, signatureParams }
        if (channel.response !== undefined) return { state: 'completed', ...details, ...channel.response } as const
        status(202)
        return { state: 'pending', ...details } as const
      },
    }),
    defineEndpoint({
      ...common,
      method: 'POST',
      path: '/v1/channel/authenticate',
      summary: 'Stores the signed message, once. The creator of the channel verifies it.',
      body: Type.Object(responseFields),
      maxBodyBytes: 32_768,
      response: Type.Object({ state: Type.Literal('completed') }),
      example: { body: { message: '', signature: '0x00', fid: 1 }, status: 401 },
      async handle({ body, raw, status }) {
        if (!(await channels.respond(parseBearerToken(raw), body))) throw channelOver()
        status(201)
        return { state: 'completed' } as const
      },
    }),
  ]
}

function parseBearerToken({ headers }: IncomingMessage): string {
  const [scheme, token = ''] = (headers.authorization ?? '').split(' ', 2)
  if (scheme?.toLowerCase() === 'bearer' && token !== '') return token
  throw new Problem(401, 'channelToken', 'The token of the channel is missing.')
}

function channelOver(): Problem {
  return new Problem(401, 'channelToken', 'This channel does not exist, has expired, or already has a response.')
}

import { createPrivateKey } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import {
  fromJson,
  fromList,
  fromText,
  invalidValue,
  optional,
  withDefault,
  type Environment,
  type VariableValues,
} from '../../kit/config/variables.ts'
import { browserPushHosts } from './services/browserPushHosts.ts'

const fcmAccountSchema = Type.Object({
  project_id: Type.String({ pattern: '^[a-z0-9-]{1,64}$' }),
  client_email: Type.String({ pattern: '^[^@]{1,200}@[^@]{1,200}$' }),
  private_key: Type.String(),
  token_uri: Type.String({ pattern: '^https://' }),
})

/** A service account of Firebase, by the names in its JSON file. */
export type FcmAccount = Static<typeof fcmAccountSchema>

/** A signing key of Apple. */
export type ApnsKey = { privateKey: string; keyId: string; teamId: string; bundleId: string }

/** The configuration of the push gateway. */
export type PushConfig = {
  /** The operator's address for push services. */
  contact: string
  /** The hosts of Web Push that clients may register. */
  hosts: readonly string[] | 'any'
  fcm: FcmAccount | undefined
  apns: ApnsKey | undefined
}

const contactSchema = Type.String({
  pattern: String.raw`^(?:mailto:[^\s@]+@[^\s@]+|https://\S+)$`,
  message: 'must be mailto:name@host or https://…, by which push services reach you',
})
const hostSchema = Type.String({
  pattern: String.raw`^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+$`,
  message: 'must be any, or like push.example.org,*.push.example.net',
})
const tenCharacters = Type.String({ pattern: '^[A-Z0-9]{10}$', message: 'must be 10 capital letters and digits' })
const bundleSchema = Type.String({
  pattern: String.raw`^[\w-]+(?:\.[\w-]+)+$`,
  message: 'must be like org.example.wallet',
})

/** The environment variables of the push gateway. */
export const pushVariables = {
  PUSH_CONTACT: optional(fromText(contactSchema)),
  PUSH_WEB_HOSTS: withDefault(parseHosts, browserPushHosts),
  PUSH_FCM_ACCOUNT: optional(parseFcmAccount),
  PUSH_APNS_KEY: optional(parseApnsKey),
  PUSH_APNS_KEY_ID: optional(fromText(tenCharacters)),
  PUSH_APNS_TEAM_ID: optional(fromText(tenCharacters)),
  PUSH_APNS_BUNDLE_ID: optional(fromText(bundleSchema)),
}

function parseHosts(text: string): readonly string[] | 'any' {
  return text === 'any' ? 'any' : fromList(hostSchema, { minItems: 1 })(text)
}

function parseFcmAccount(text: string): FcmAccount {
  const account = fromJson(fcmAccountSchema)(text)
  assertPrivateKey(account.private_key, 'rsa', 'must contain the private_key of a service account')
  return account
}

function parseApnsKey(text: string): string {
  assertPrivateKey(text, 'ec', 'must be the .p8 file of a signing key')
  return text
}

/** A wrong key would otherwise be noticed with the first notification. */
function assertPrivateKey(pem: string, type: 'rsa' | 'ec', sentence: string): void {
  try {
    if (createPrivateKey(pem).asymmetricKeyType === type) return
  } catch {
    // The same sentence, because the error of the library may quote the value.
  }
  throw invalidValue(sentence)
}

const apnsNames = ['PUSH_APNS_KEY', 'PUSH_APNS_KEY_ID', 'PUSH_APNS_TEAM_ID', 'PUSH_APNS_BUNDLE_ID'] as const

/** Finds variables that need others. */
export function findPushProblems(environment: Environment): readonly string[] {
  const missing = apnsNames.filter((name) => environment[name] === undefined)
  const isPartial = missing.length > 0 && missing.length < apnsNames.length
  const problems = isPartial ? missing.map((name) => `${name}: is needed with the other PUSH_APNS variables`) : []
  if (environment['PUSH_CONTACT'] !== undefined) return problems
  const dependent = ['PUSH_FCM_ACCOUNT', 'PUSH_APNS_KEY', 'PUSH_WEB_HOSTS'].filter(
    (name) => environment[name] !== undefined,
  )
  return [...problems, ...dependent.map((name) => `${name}: needs PUSH_CONTACT`)]
}

/** Gets the configuration of the push gateway; `undefined` if there is none. */
export function toPushConfig(values: VariableValues<typeof pushVariables>): PushConfig | undefined {
  if (values.PUSH_CONTACT === undefined) return undefined
  return {
    contact: values.PUSH_CONTACT,
    hosts: values.PUSH_WEB_HOSTS,
    fcm: values.PUSH_FCM_ACCOUNT,
    apns: toApnsKey(values),
  }
}

function toApnsKey(values: VariableValues<typeof pushVariables>): ApnsKey | undefined {
  const { PUSH_APNS_KEY: privateKey, PUSH_APNS_KEY_ID: keyId } = values
  const { PUSH_APNS_TEAM_ID: teamId, PUSH_APNS_BUNDLE_ID: bundleId } = values
  const isComplete = privateKey !== undefined && keyId !== undefined && teamId !== undefined && bundleId !== undefined
  return isComplete ? { privateKey, keyId, teamId, bundleId } : undefined
}

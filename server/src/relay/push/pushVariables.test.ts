import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { configProblemsOf } from '../../kit/config/testing/configProblemsOf.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const toPem = ({ privateKey }: typeof ec): string => String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
const account = {
  project_id: 'wallet-1',
  client_email: 'push@wallet-1.iam.gserviceaccount.com',
  private_key: toPem(rsa),
  token_uri: 'https://oauth2.googleapis.com/token',
}
const apple = {
  PUSH_APNS_KEY: toPem(ec),
  PUSH_APNS_KEY_ID: 'ABC123DEFG',
  PUSH_APNS_TEAM_ID: 'DEF123GHIJ',
  PUSH_APNS_BUNDLE_ID: 'org.example.wallet',
}
const contact = { PUSH_CONTACT: 'mailto:ops@example.org' }

const problemsOf = (environment: Record<string, string>) => configProblemsOf(() => readConfig(environment))

test('a contact enables Web Push with the services of browsers', () => {
  const { push } = readConfig(contact)
  expect(push?.contact).toBe('mailto:ops@example.org')
  expect(push?.hosts).toContain('fcm.googleapis.com')
  expect(push?.fcm).toBeUndefined()
  expect(readConfig({}).push).toBeUndefined()
})

test('Firebase and Apple are read with their keys', () => {
  const { push } = readConfig({ ...contact, ...apple, PUSH_FCM_ACCOUNT: JSON.stringify(account) })
  expect(push?.fcm).toMatchObject({ project_id: 'wallet-1' })
  expect(push?.apns).toMatchObject({ keyId: 'ABC123DEFG', bundleId: 'org.example.wallet' })
})

test.each<[environment: Record<string, string>, problem: string]>([
  [{ PUSH_CONTACT: 'ops@example.org' }, 'PUSH_CONTACT: must be mailto:name@host or https://…'],
  [{ PUSH_WEB_HOSTS: 'any' }, 'PUSH_WEB_HOSTS: needs PUSH_CONTACT'],
  [{ ...contact, PUSH_WEB_HOSTS: 'https://push.example.org/' }, 'PUSH_WEB_HOSTS.0: must be any, or like'],
  [{ PUSH_FCM_ACCOUNT: JSON.stringify(account) }, 'PUSH_FCM_ACCOUNT: needs PUSH_CONTACT'],
  [
    { ...contact, PUSH_FCM_ACCOUNT: JSON.stringify({ ...account, private_key: toPem(ec) }) },
    'PUSH_FCM_ACCOUNT: must contain the private_key of a service account',
  ],
  [{ ...contact, PUSH_APNS_KEY: toPem(ec) }, 'PUSH_APNS_KEY_ID: is needed with the other PUSH_APNS variables'],
  [{ ...contact, ...apple, PUSH_APNS_KEY: toPem(rsa) }, 'PUSH_APNS_KEY: must be the .p8 file of a signing key'],
  [{ ...contact, ...apple, PUSH_APNS_KEY_ID: 'short' }, 'PUSH_APNS_KEY_ID: must be 10 capital letters and digits'],
])('a mistake is reported without the value: %#', (environment, problem) => {
  const problems = problemsOf(environment)
  expect(problems.join('\n')).toContain(problem)
  expect(problems.join('\n')).not.toContain('PRIVATE KEY')
})

import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProjects } from '../../kit/http/projects.ts'
import { createLoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'

const projectId = 'ab'.repeat(16)
const projects = createProjects([{ id: projectId, allowedOrigins: ['https://app.example', '*.preview.example'] }])

let mail: LocalMail
let services: LoginServices
beforeAll(async () => {
  mail = await startMail()
  services = await startLoginServices({ mailUrl: mail.url, parts: { auth: { projects }, shares: { projects } } })
})
afterAll(async () => {
  await services.close()
  await mail.close()
})

const lure = 'Your wallet is locked. Call 0900 1234'

describe.each(['/auth/v1/codes', '/shares/v1/links'])('a mail that %s sends', (path) => {
  async function request(origin: string, email: string): Promise<number> {
    const client = await createLoginClient(services.authUrl)
    return (await client.request('POST', path, { email, projectId, origin })).status
  }

  test.each([
    `https://app.example/${lure}`,
    `https://app.example\n\n${lure}`,
    `https://${encodeURIComponent(lure)}@app.example`,
    `https://app.example#${lure}`,
    `http://localhost/${lure}`,
    'http://call-0900-1234.localhost',
    'null',
  ])('is not sent for the origin %j [A-22]', async (origin) => {
    expect(await request(origin, 'ann@example.org')).toBe(403)
    expect(mail.received().flatMap(({ to }) => to)).not.toContain('ann@example.org')
  })

  test('contains no text that the caller chose [A-22]', async () => {
    const email = `ben${path.length}@example.org`
    expect(await request('https://call-0900-1234.preview.example', email)).toBe(200)
    const { text } = await mail.waitFor(email, 0)
    expect(text).toContain('*.preview.example')
    expect(text).not.toContain('0900')
  })
})

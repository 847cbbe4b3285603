import { startIdentity, startMail } from '@latchkey/devnet'
import { expect, onTestFinished, test } from 'vitest'
import { createProjects } from '../../kit/http/projects.ts'
import { createLoginClient } from '../../testing/loginClient.ts'
import { startLoginServices } from '../../testing/loginServices.ts'
import { followCallback, visitProvider } from '../../testing/visitProvider.ts'

const projectId = 'ab'.repeat(16)

test('the page of a provider login shows the allowed entry and no text that the caller chose [V-03]', async () => {
  const mail = await startMail()
  onTestFinished(() => mail.close())
  const provider = await startIdentity()
  onTestFinished(() => provider.close())
  const services = await startLoginServices({
    mailUrl: mail.url,
    layout: 'split',
    socials: provider.socials,
    parts: { shares: { projects: createProjects([{ id: projectId, allowedOrigins: ['*.preview.example'] }]) } },
  })
  onTestFinished(() => services.close())
  const client = await createLoginClient(services.sharesUrl)
  const origin = 'https://your-bank.preview.example'
  const { body } = await client.request('POST', '/shares/v1/social/begin', { provider: 'google', projectId, origin })
  const { uri } = body as { uri: string }
  const page = await (await followCallback(await visitProvider(uri, { name: 'Ann', email: 'ann@example.org' }))).text()
  expect(page).toContain('*.preview.example')
  expect(page).not.toContain('your-bank')
})

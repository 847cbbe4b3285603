import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openNetworkSites, type NetworkSites } from './networkSite.ts'

// Chromium aborts requests when a network interface is added or removed, so no browser test may run beside these.
const run = promisify(execFile)

/** Skips the test where the system permits no namespaces. */
async function open(skip: (reason: string) => never): Promise<NetworkSites> {
  const sites = await openNetworkSites()
  if ('reason' in sites) return skip(sites.reason)
  onTestFinished(sites.close)
  return sites
}

test('two second machines at the same time have addresses of their own', async ({ skip }) => {
  const one = await open(skip)
  const two = await open(skip)
  expect(new Set([one.here, one.there, two.here, two.there].map(({ host }) => host)).size).toBe(4)
})

test('the namespace of a killed run is removed', async ({ skip }) => {
  // Its process id is beyond the largest one of Linux.
  const abandoned = 'latchkey-4194305-10-213-0'
  await run('ip', ['netns', 'add', abandoned]).catch(() => skip('the system permits no namespaces'))
  await open(skip)
  expect((await run('ip', ['netns', 'list'])).stdout).not.toContain(abandoned)
})

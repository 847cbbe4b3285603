import { existsSync, statSync } from 'node:fs'
import { configError } from '@latchkey/protocol'
import { checkClock } from './checkClock.ts'
import { checkPolicy } from './checkPolicy.ts'
import { checkRelay } from './checkRelay.ts'
import { checkRpc } from './checkRpc.ts'
import type { Finding } from './finding.ts'
import { findDuplicates } from './findDuplicates.ts'
import { findMissingOptions } from './findMissingOptions.ts'
import { listVersions } from './listVersions.ts'

/** The services of the app, and a listener for the running step. */
export type DiagnosisOptions = {
  relay?: string
  server?: string
  frame?: string
  rpc?: string
  onStep?(text: string): void
}

/**
 * Finds problems in the setup of an app. A folder is checked for duplicate packages, versions and missing options; a page
 * for its content security policy and the clock. Services are contacted if their URLs are given.
 *
 * @param target the folder of an app, or the URL of its page
 * @returns the findings, problems first
 * @throws LatchkeyError `config/invalid` if the folder or a URL is not valid
 * @example const findings = await diagnose('.', { relay: 'wss://relay.example.org/relay' })
 */
export async function diagnose(
  target: string,
  { onStep = () => {}, ...services }: DiagnosisOptions = {},
): Promise<readonly Finding[]> {
  assertUrls(services)
  const isPage = /^https?:\/\//.test(target)
  onStep(`Checking ${target}`)
  const findings = isPage ? await checkPage(target, services) : checkFolder(target)
  const { relay, rpc, server } = services
  if (relay !== undefined) onStep('Contacting the relay')
  const relayFindings = relay === undefined ? [] : await checkRelay(relay)
  if (rpc !== undefined) onStep('Contacting the node')
  const rpcFindings = rpc === undefined ? [] : await checkRpc(rpc)
  const clockFindings = server === undefined ? [] : await checkClock(server, await tryFetch(server))
  const order = ['problem', 'warning', 'ok']
  return [...findings, ...relayFindings, ...rpcFindings, ...clockFindings].toSorted(
    (a, b) => order.indexOf(a.severity) - order.indexOf(b.severity),
  )
}

function checkFolder(folder: string): readonly Finding[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw configError('config/invalid', { problems: [`${folder} is neither a folder nor a URL`] })
  }
  return [...listVersions(folder), ...findDuplicates(folder), ...findMissingOptions(folder)]
}

async function checkPage(url: string, services: DiagnosisOptions): Promise<readonly Finding[]> {
  const response = await tryFetch(url)
  if (response === undefined || !response.ok) {
    const text = response === undefined ? `${url} does not respond.` : `${url} responds with ${response.status}.`
    return [{ severity: 'problem', text, advice: 'Start the app, and check the address.' }]
  }
  const policies = [response.headers.get('content-security-policy'), findMetaPolicy(await response.text())]
  return [
    ...policies
      .filter((policy) => policy !== undefined && policy !== null)
      .flatMap((policy) => checkPolicy(policy, { page: url, ...services })),
    ...checkClock(url, response),
  ]
}

async function tryFetch(url: string): Promise<Response | undefined> {
  return fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined)
}

function findMetaPolicy(html: string): string | undefined {
  const tag = /<meta[^>]+http-equiv=["']?content-security-policy["']?[^>]*>/i.exec(html)?.[0]
  return tag === undefined ? undefined : /content="([^"]*)"|content='([^']*)'/i.exec(tag)?.slice(1).find(Boolean)
}

function assertUrls({ relay, server, frame, rpc }: DiagnosisOptions): void {
  const problems = Object.entries({ relay, server, frame, rpc })
    .filter(([, url]) => url !== undefined && !URL.canParse(url))
    .map(([name, url]) => `--${name} is not a URL: ${url}`)
  if (problems.length > 0) throw configError('config/invalid', { problems })
}

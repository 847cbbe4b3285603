import { existsSync, statSync } from 'node:fs'
import { configError } from '@latchkey/protocol'
import { checkClock } from './checkClock.ts'
import { checkPolicy } from './checkPolicy.ts'
import { checkRelay } from './checkRelay.ts'
import { checkRpc } from './checkRpc.ts'
import { checkWallets } from './checkWallets.ts'
import type { AppIdentity } from './findRefusal.ts'
import type { Finding } from './finding.ts'
import { findDuplicates } from './findDuplicates.ts'
import { findMissingOptions } from './findMissingOptions.ts'
import { listVersions } from './listVersions.ts'

/**
 * The services of the app, its project id, the origin of its page (by default that of the target), and a listener for the running
 * step.
 */
export type DiagnosisOptions = {
  relay?: string
  server?: string
  frame?: string
  rpc?: string
  project?: string
  origin?: string
  onStep?(text: string): void
}

/**
 * Finds problems in the setup of an app. A folder is checked for duplicate packages, versions and missing options; a page
 * for its content security policy and the clock. Services are contacted if their URLs are given, with the project and the origin
 * of the app, so that a service that refuses them is found.
 *
 * @param target the folder of an app, or the URL of its page
 * @returns the findings, problems first
 * @throws LatchkeyError `config/invalid` if the folder or a URL is not valid
 * @example const findings = await diagnose('.', { relay: 'wss://relay.example.org/relay' })
 */
export async function diagnose(
  target: string,
  { onStep = () => {}, project, origin, ...services }: DiagnosisOptions = {},
): Promise<readonly Finding[]> {
  assertUrls({ ...services, origin })
  const isPage = /^https?:\/\//.test(target)
  onStep(`Checking ${target}`)
  const findings = isPage ? await checkPage(target, services) : checkFolder(target)
  const { relay, rpc, server } = services
  const app = { project, origin: toPageOrigin(origin ?? (isPage ? target : undefined)) }
  if (relay !== undefined) onStep('Contacting the relay')
  const relayFindings = relay === undefined ? [] : await checkRelay(relay, app)
  if (rpc !== undefined) onStep('Contacting the node')
  const rpcFindings = rpc === undefined ? [] : await checkRpc(rpc)
  const serverFindings = server === undefined ? [] : await checkServer(server, app, onStep)
  const order = ['problem', 'warning', 'ok']
  return [...findings, ...relayFindings, ...rpcFindings, ...serverFindings].toSorted(
    (a, b) => order.indexOf(a.severity) - order.indexOf(b.severity),
  )
}

async function checkServer(
  server: string,
  app: AppIdentity,
  onStep: (text: string) => void,
): Promise<readonly Finding[]> {
  onStep('Contacting the data service')
  return [...(await checkWallets(server, app)), ...checkClock(server, await tryFetch(server))]
}

/** Returns the origin as browsers send it, without a path. */
function toPageOrigin(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).origin
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

function assertUrls({ relay, server, frame, rpc, origin }: DiagnosisOptions): void {
  const problems = Object.entries({ relay, server, frame, rpc, origin })
    .filter(([, url]) => url !== undefined && !URL.canParse(url))
    .map(([name, url]) => `--${name} is not a URL: ${url}`)
  if (problems.length > 0) throw configError('config/invalid', { problems })
}

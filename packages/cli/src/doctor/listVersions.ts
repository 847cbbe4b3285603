import type { Finding } from './finding.ts'
import { listInstalled } from './listInstalled.ts'

/** Lists the installed packages of Latchkey, and finds versions that do not match. */
export function listVersions(folder: string): readonly Finding[] {
  const installed = listInstalled(folder, ['@latchkey/'])
  if (installed.length === 0) {
    const advice = 'Run npm install in this folder, or install @latchkey/core, @latchkey/evm and @latchkey/react.'
    return [{ severity: 'problem', text: 'No package of Latchkey is installed.', advice }]
  }
  const versions = [...new Set(installed.map(({ version }) => version))]
  const list = installed.map(({ name, version }) => `${name} ${version}`).join(', ')
  if (versions.length === 1) return [{ severity: 'ok', text: `Installed: ${list}.` }]
  const advice = 'The packages are released together. Use one version for all of them in package.json.'
  return [{ severity: 'problem', text: `The packages of Latchkey have different versions: ${list}.`, advice }]
}

import type { Finding } from './finding.ts'
import { listInstalled } from './listInstalled.ts'

/** A second copy of these breaks an app: contexts, types and caches of one copy are unknown to the other. */
const single = ['react', 'react-dom', 'viem', 'vue', 'wagmi', '@wagmi/core', '@latchkey/core', '@latchkey/react']

/** Finds packages that are installed more than once. */
export function findDuplicates(folder: string): readonly Finding[] {
  const installed = listInstalled(folder, single)
  const duplicates = single.flatMap((name): Finding[] => {
    const copies = installed.filter((each) => each.name === name)
    if (copies.length < 2) return []
    const places = copies.map(({ version, path }) => `${version} in ${path}`).join(', ')
    const severity = name === 'viem' ? 'warning' : 'problem'
    const advice = `Use one version of ${name} in all packages, then run npm dedupe, or set "overrides" in package.json.`
    return [{ severity, text: `${name} is installed ${copies.length} times: ${places}.`, advice }]
  })
  return duplicates.length > 0 ? duplicates : [{ severity: 'ok', text: 'No package is installed twice.' }]
}

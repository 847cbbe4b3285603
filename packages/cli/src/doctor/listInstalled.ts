import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { getField } from '@latchkey/protocol'

/** An installed package. `path` is relative to the folder of the app. */
export type Installed = { name: string; version: string; path: string; peers: Readonly<Record<string, unknown>> }

const deepest = 6

/**
 * Finds installed packages by name, including those inside other packages and in the folders above the app.
 *
 * @param matches the names; a name that ends with `/` stands for a scope
 */
export function listInstalled(folder: string, matches: readonly string[]): readonly Installed[] {
  const found = new Map<string, Installed>()
  const isWanted = (name: string): boolean =>
    matches.some((each) => (each.endsWith('/') ? name.startsWith(each) : name === each))
  function visit(modules: string, depth: number): void {
    if (depth > deepest || !existsSync(modules)) return
    for (const name of namesIn(modules)) {
      const path = join(modules, name)
      if (isWanted(name)) add(found, folder, { name, path })
      visit(join(path, 'node_modules'), depth + 1)
    }
  }
  visit(join(folder, 'node_modules'), 0)
  // A workspace finds the packages of the folders above.
  if (found.size === 0) for (const above of ['..', '../..']) visit(join(folder, above, 'node_modules'), 0)
  return [...found.values()]
}

/** Lists the packages in a `node_modules`, with those of scopes. */
function namesIn(modules: string): readonly string[] {
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
    )
}

/** Links to the same package, as pnpm and workspaces create them, count once. */
function add(found: Map<string, Installed>, folder: string, { name, path }: { name: string; path: string }): void {
  const file = join(path, 'package.json')
  if (!existsSync(file)) return
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const version = getField(manifest, 'version')
  const peers = getField(manifest, 'peerDependencies')
  found.set(realpathSync(path), {
    name,
    version: typeof version === 'string' ? version : 'unknown',
    path: relative(folder, path),
    peers: typeof peers === 'object' && peers !== null ? { ...peers } : {},
  })
}

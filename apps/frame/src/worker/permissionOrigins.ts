import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { seal, unseal } from '../custody/seal.ts'
import type { KeyHolder, PermissionId } from './keyHolder.ts'
import { withEntropy } from './withEntropy.ts'

/** The origins of permissions, sealed by the wallet, so that only its user can read and write them. */
export type PermissionOrigins = Pick<KeyHolder, 'sealPermissionOrigin' | 'openPermissionOrigins'>

export type PermissionOriginsDependencies = {
  /** Returns a copy of the wallet's entropy, which is wiped here. */
  entropy(): Promise<Uint8Array>
}

/**
 * Creates the access to the sealed origins of permissions. Each is bound to its delegation, so that it opens for no other one.
 *
 * @example const { sealPermissionOrigin } = createPermissionOrigins({ entropy: keys.entropy })
 */
export function createPermissionOrigins(dependencies: PermissionOriginsDependencies): PermissionOrigins {
  return {
    sealPermissionOrigin: (id, origin) =>
      withEntropy(dependencies, (entropy) =>
        seal(entropy, 'permission-origin', permissionHeader(id), utf8ToBytes(origin)),
      ),
    openPermissionOrigins: (entries) =>
      withEntropy(dependencies, (entropy) =>
        Promise.all(
          entries.map(async ({ sealed, ...id }) => {
            try {
              const opened = await unseal(entropy, 'permission-origin', permissionHeader(id), sealed, 'The origin')
              return new TextDecoder().decode(opened)
            } catch {
              return undefined
            }
          }),
        ),
      ),
  }
}

function permissionHeader({ chainId, hash }: PermissionId): Uint8Array {
  return concatBytes(hash, utf8ToBytes(chainId))
}

// A module of its own, which loads once the visitor has acted: the code of server URLs is not needed before.
export { networkImageUrl as getNetworkIcon } from '@latchkey/core'

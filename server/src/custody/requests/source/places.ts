import { isIP } from 'node:net'
import { isPublicAddress } from '../../../kit/http/isPublicAddress.ts'

/** Approximate places of network addresses, found without requests to other services. */
export type Places = {
  /**
   * Returns the code of a place: an ISO 3166 country code with a city like `DE/Berlin`, `local` for an address of a
   * local network, and an empty text if it is not known.
   *
   * @param address an IP address, or the network that `clientAddress` returns
   */
  find(address: string): string
}

/** Looks up the country and the city of a public address. */
export type PlaceLookup = (address: string) => { readonly country: string; readonly city?: string } | undefined

/**
 * Creates the places.
 *
 * @param lookup every public address is unknown if omitted
 */
export function createPlaces(lookup: PlaceLookup = () => undefined): Places {
  return {
    find(client) {
      const address = client.replace(/\/\d+$/, '')
      if (isIP(address) === 0) return ''
      if (!isPublicAddress(address)) return 'local'
      const place = lookup(address)
      if (place === undefined) return ''
      return place.city === undefined ? place.country : `${place.country}/${place.city}`
    },
  }
}

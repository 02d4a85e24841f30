/** The two globals of both worlds that the language library does not name: contract and domain have neither DOM nor node. */
declare function atob(data: string): string

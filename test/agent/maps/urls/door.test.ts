import { doorOf } from '@placefleet/agent/maps/urls/door'
import { expect, test } from 'vitest'

test.each([
  ['https://www.google.com/maps?hl=en', 'front'],
  ['https://www.google.com/search?tbm=map&q=cafe', 'search'],
  ['https://www.google.com/maps/search/cafe/@34.6,33.0,14z', 'search'],
  ['https://www.google.com/maps/preview/place?q=a', 'place'],
  ['https://www.google.com/maps/place/A/data=!4m2', 'place'],
  ['https://www.google.com/httpservice/web/PrivateLocalSearchUiDataService/GetLocalBoqProxy?x', 'reviews'],
  ['https://www.google.com/maps/_/LocalMapsUi/data/batchexecute', 'data'],
  ['https://www.google.com/sorry/index', 'other'],
  ['about:blank', 'other'],
])('the door of $0 is $1', (url, door) => expect(doorOf(url)).toBe(door))

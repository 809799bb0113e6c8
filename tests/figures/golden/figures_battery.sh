# Battery histories in the forms that phones have printed: since Android 14 with a format in its header, and --checkin.
cat > new.txt <<'END'
Battery History [Format: mini] (21% used, 850KB used of 4096KB, 112 strings using 11KB):
                    0 (9) RESET:TIME: 2023-11-14-22-13-20
                    0 (1) 080 status=discharging health=good plug=none temp=250 volt=4100 charge=3200 modemRailChargemAh=0 wifiRailChargemAh=0 +running +wifi +usb_data top=u0a123:"com.example.app"
              +523ms (4) 080 +wake_lock=u0a123:"walk x" +longwake=1000:"a b"
            +1s000ms (2) 080 -wake_lock stats=0:"get-stats"
            +1s200ms (2) 080 Details: cpu=10u+20s
                              /proc/stat=1 usr, 2 sys
            +2s000ms (1) 079
           +61s000ms (2) TIME: 2023-11-14-22-14-21
            +62s000ms (2) 079 +job=u0a1:"com.x/.J" -job=u0a1:"com.x/.J" phone_signal_strength=great

END
cat > checkin.txt <<'END'
9,0,i,vers,36,213,UP1A.231005.007,UP1A.231005.007
9,hsp,0,10123,"com.example.app"
9,hsp,1,0,"*alarm*:TIME_TICK"
9,h,0:RESET:TIME:1700000000000
9,h,0,Bl=80,Bs=d,Bh=g,Bp=n,Bt=250,Bv=4100,+r,+S
9,h,1200,+w=1,Etp=0
9,h,800,-w
9,h,60000,Bl=79,Bv=4090
9,h,5000:SHUTDOWN
9,0,l,bt,0,1000,900,800,700
END
$FIGURES new.txt checkin.txt; echo "exit $?"
tactus trace stat new.txt checkin.txt | grep batterystats
cat > dated.txt <<'END'
Battery History [Format: 2] (102% used, 4208KB used of 4096KB, 151 strings using 7967):
  12-31 23:59:29.838 TIME: 2025-12-31-23-59-29
  12-31 23:59:29.838 093 c4002820 status=discharging temp=348 volt=4303 +running
  12-31 23:59:54.392 093 -running
  01-01 00:01:30.000 091 +screen status=charging

END
$FIGURES dated.txt; echo "exit $?"
